package dev.varve.bench.index;

import dev.varve.catalog.LakeCatalog;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * A table whose files are there for its catalog only: nobody reads them. Column {@code k} is the
 * sort key, {@link #KEYS} values in each file one after the other; {@code c2} follows it loosely,
 * {@code c3} is one of fifty regions in each file, the others are anything in every file. The files
 * get in as our writer's do: their facts are staged, then Iceberg appends them.
 */
final class SyntheticTable {
  static final String SCHEMA = "bench";
  static final int KEYS = 100;

  private static final int FILES_PER_COMMIT = 10_000;
  private static final int ROWS = 10_000;
  private static final TableOrdering BY_K =
      new TableOrdering(List.of(new OrderingField(1, SortDirection.ASC, NullOrder.NULLS_FIRST)));
  private static final List<KeyEncoding.Part> PARTS =
      List.of(new KeyEncoding.Part(KeyType.INTEGRAL, SortDirection.ASC, NullOrder.NULLS_FIRST));

  private final LakeCatalog lake;
  private final int columns;
  private final Table table;
  private final SplittableRandom random = new SplittableRandom(1);
  private long files;

  private SyntheticTable(LakeCatalog lake, int columns, Table table) {
    this.lake = lake;
    this.columns = columns;
    this.table = table;
  }

  /** The table of that many files, which is made if it is not there. */
  static SyntheticTable open(LakeCatalog lake, String name, int columns, long files) {
    TableIdentifier id = TableIdentifier.of(Namespace.of(SCHEMA), name);
    Table found;
    try {
      found = lake.catalog().loadTable(id);
    } catch (NoSuchTableException e) {
      Schema schema = schema(columns);
      found =
          lake.catalog()
              .buildTable(id, schema)
              .withSortOrder(SortOrder.builderFor(schema).asc("k").build())
              .create();
    }
    SyntheticTable table = new SyntheticTable(lake, columns, found);
    table.files = table.known();
    while (table.files < files) {
      table.commit((int) Math.min(FILES_PER_COMMIT, files - table.files));
    }
    return table;
  }

  private static Schema schema(int columns) {
    List<Types.NestedField> fields = new ArrayList<>();
    fields.add(Types.NestedField.required(1, "k", Types.LongType.get()));
    for (int i = 2; i <= columns; i++) {
      fields.add(Types.NestedField.optional(i, "c" + i, type(i)));
    }
    return new Schema(fields);
  }

  private static Type.PrimitiveType type(int column) {
    if (column <= 2) {
      return Types.LongType.get();
    }
    return switch (column % 3) {
      case 0 -> Types.StringType.get();
      case 1 -> Types.DoubleType.get();
      default -> Types.LongType.get();
    };
  }

  private long known() {
    return table.currentSnapshot() == null
        ? 0
        : Long.parseLong(table.currentSnapshot().summary().get("total-data-files"));
  }

  long files() {
    return files;
  }

  String uuid() {
    return table.uuid().toString();
  }

  long snapshotId() {
    return table.currentSnapshot().snapshotId();
  }

  /** Appends files behind all keys that there are. */
  void commit(int count) {
    commit(prepare(count));
  }

  /** Files that are staged, and the append that brings them in. */
  AppendFiles prepare(int count) {
    List<FileFacts> facts = new ArrayList<>(count);
    AppendFiles append = table.newFastAppend();
    for (int i = 0; i < count; i++) {
      add(files++, facts, append);
    }
    lake.layoutIndex().stage(uuid(), facts);
    return append;
  }

  void commit(AppendFiles prepared) {
    prepared.commit();
    table.refresh();
  }

  private void add(long number, List<FileFacts> facts, AppendFiles append) {
    Map<Integer, ColumnFacts> known = new HashMap<>();
    Map<Integer, ByteBuffer> lower = new HashMap<>();
    Map<Integer, ByteBuffer> upper = new HashMap<>();
    Map<Integer, Long> nulls = new HashMap<>();
    for (int column = 1; column <= columns; column++) {
      Object least = least(column, number);
      Object greatest = greatest(column, number);
      lower.put(column, Conversions.toByteBuffer(type(column), least));
      upper.put(column, Conversions.toByteBuffer(type(column), greatest));
      nulls.put(column, 0L);
      known.put(
          column,
          new ColumnFacts(
              column,
              new Bound.Exact(key(column, least)),
              new Bound.Exact(key(column, greatest)),
              OptionalLong.of(0),
              OptionalLong.of(0),
              OptionalLong.of(8L * ROWS),
              OptionalLong.of(column <= 2 ? KEYS : ROWS / 2)));
    }
    DataFile file =
        DataFiles.builder(PartitionSpec.unpartitioned())
            .withPath(table.location() + "/data/part-%09d.parquet".formatted(number))
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(8L * ROWS * columns)
            .withMetrics(
                new Metrics((long) ROWS, Map.of(), Map.of(), nulls, Map.of(), lower, upper))
            .build();
    append.appendFile(file);
    KeyRange range =
        new KeyRange(
            KeyEncoding.encode(PARTS, List.of(number * KEYS)),
            true,
            KeyEncoding.encode(PARTS, List.of(number * KEYS + KEYS - 1)),
            true);
    facts.add(
        new FileFacts(
            file.location(),
            file.fileSizeInBytes(),
            ROWS,
            0,
            table.schema().schemaId(),
            known,
            List.of(),
            List.of(new OrderingFact(BY_K, Trust.VERIFIED, Optional.of(range)))));
  }

  private Object least(int column, long number) {
    if (column == 1) {
      return number * KEYS;
    }
    if (column == 2) {
      return Math.max(0, number * KEYS - random.nextInt(10 * KEYS));
    }
    return switch (column % 3) {
      case 0 ->
          column == 3 ? "region-%02d".formatted(number % 50) : "a" + random.nextInt(1_000_000);
      case 1 -> -1e6 * random.nextDouble();
      default -> -random.nextLong(1_000_000);
    };
  }

  private Object greatest(int column, long number) {
    if (column == 1) {
      return number * KEYS + KEYS - 1;
    }
    if (column == 2) {
      return number * KEYS + random.nextInt(10 * KEYS);
    }
    return switch (column % 3) {
      case 0 ->
          column == 3 ? "region-%02d".formatted(number % 50) : "z" + random.nextInt(1_000_000);
      case 1 -> 1e6 * random.nextDouble();
      default -> random.nextLong(1_000_000);
    };
  }

  private static EncodedKey key(int column, Object value) {
    return switch (value) {
      case Long number -> KeyEncoding.encodeLong(number);
      case Double number -> KeyEncoding.encodeDouble(number);
      case String text -> KeyEncoding.encodeValue(KeyType.STRING, text);
      default -> throw new IllegalStateException("column " + column + " holds " + value);
    };
  }
}
