package dev.varve.catalog;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.RowGroupFacts;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyEncoding.Part;
import dev.varve.layout.key.KeyType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;

/** Data files as manifests describe them; no bytes stand behind them. */
public final class TestFiles {
  public static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "k", Types.LongType.get()),
          Types.NestedField.optional(2, "name", Types.StringType.get()),
          Types.NestedField.optional(3, "x", Types.DoubleType.get()));

  public static final SortOrder BY_K = SortOrder.builderFor(SCHEMA).asc("k").build();
  public static final SortOrder BY_K_DESC = SortOrder.builderFor(SCHEMA).desc("k").build();
  public static final TableOrdering ORDER_BY_K =
      new TableOrdering(List.of(new OrderingField(1, SortDirection.ASC, NullOrder.NULLS_FIRST)));

  private TestFiles() {}

  /** A file of ten rows with keys from {@code low} to {@code high}. */
  public static DataFile file(Table table, long low, long high) {
    return file(table, "f-" + UUID.randomUUID() + ".parquet", low, high);
  }

  public static DataFile file(Table table, String name, long low, long high) {
    Types.LongType type = Types.LongType.get();
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(table.location() + "/data/" + name)
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(1000 + (low & 0xFF))
        .withMetrics(
            new Metrics(
                10L,
                Map.of(1, 80L),
                Map.of(1, 10L),
                Map.of(1, 0L),
                Map.of(),
                Map.of(1, Conversions.toByteBuffer(type, low)),
                Map.of(1, Conversions.toByteBuffer(type, high))))
        .build();
  }

  /** What our own writer would say of the file: exact bounds and a verified order by k. */
  public static FileFacts verified(DataFile file, long low, long high) {
    ColumnFacts column =
        new ColumnFacts(
            1,
            new Bound.Exact(KeyEncoding.encodeLong(low)),
            new Bound.Exact(KeyEncoding.encodeLong(high)),
            OptionalLong.of(0),
            OptionalLong.empty(),
            OptionalLong.of(80));
    List<Part> parts =
        List.of(new Part(KeyType.INTEGRAL, SortDirection.ASC, NullOrder.NULLS_FIRST));
    return new FileFacts(
        file.location(),
        file.fileSizeInBytes(),
        file.recordCount(),
        0,
        0,
        Map.of(1, column),
        List.of(new RowGroupFacts(4, 10, Map.of(1, column))),
        List.of(
            new OrderingFact(
                ORDER_BY_K,
                Trust.VERIFIED,
                Optional.of(
                    new KeyRange(
                        KeyEncoding.encode(parts, List.of(low)),
                        true,
                        KeyEncoding.encode(parts, List.of(high)),
                        true)))));
  }
}
