package dev.varve.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.catalog.store.EmbeddedDatabase;
import dev.varve.layout.LayoutAnswer.Complete;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.io.LocalFileIO;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
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
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A commit of 100 files costs what they cost, not what the table does: metadata file, manifest and
 * index together, taken in turns on a table of 100 files and one of {@code -Dvarve.files=}.
 */
class CommitCostTest {
  private static final int LARGE = Integer.getInteger("varve.files", 4_000);
  private static final int ROUNDS = Integer.getInteger("varve.rounds", 12);
  private static final int COLUMNS = 20;
  private static final int MANIFEST_FILES = 10_000;

  @TempDir Path directory;
  private final Schema schema = schema();

  @Test
  void doesNotGrowWithTheTableOnH2() {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("catalog"))) {
      compare("H2", database.dataSource());
    }
  }

  @Test
  void doesNotGrowWithTheTableOnPostgres() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start()) {
      compare(
          "PostgreSQL",
          postgres.getDatabase("postgres", "postgres", Map.of("prepareThreshold", "-1")));
    }
  }

  private void compare(String name, DataSource source) {
    CatalogSettings settings =
        new CatalogSettings("lake", directory.resolve("warehouse").toString());
    try (LakeCatalog lake = LakeCatalog.open(source, settings, new LocalFileIO())) {
      lake.catalog().createNamespace(Namespace.of("s"));
      Table small = create(lake, "small", 100);
      Table large = create(lake, "large", LARGE);
      List<Long> onSmall = new ArrayList<>();
      List<Long> onLarge = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        onSmall.add(commit(small));
        onLarge.add(commit(large));
      }
      long files = (long) LARGE + 100L * ROUNDS;
      LayoutQuery query =
          new LayoutQuery(
              large.uuid().toString(),
              large.currentSnapshot().snapshotId(),
              List.of(),
              Optional.empty());
      assertThat(((Complete) lake.layoutIndex().plan(query)).totalFiles()).isEqualTo(files);
      double ratio = (double) middle(onLarge) / middle(onSmall);
      System.out.printf(
          "%s, commit of 100 files: %.1f ms on 100 files, %.1f ms on %d files, ratio %.2f%n",
          name, middle(onSmall) / 1e6, middle(onLarge) / 1e6, LARGE, ratio);
      assertThat(ratio).as("%s: %s and %s", name, onSmall, onLarge).isLessThanOrEqualTo(2);
    }
  }

  private static long middle(List<Long> nanos) {
    return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow();
  }

  private Table create(LakeCatalog lake, String name, int files) {
    Table table =
        lake.catalog()
            .buildTable(TableIdentifier.of("s", name), schema)
            .withSortOrder(SortOrder.builderFor(schema).asc("c1").build())
            .create();
    for (int from = 0; from < files; from += MANIFEST_FILES) {
      append(table, from, Math.min(files, from + MANIFEST_FILES));
    }
    return table;
  }

  private long commit(Table table) {
    long start = System.nanoTime();
    append(table, 0, 100);
    return System.nanoTime() - start;
  }

  private void append(Table table, int from, int to) {
    AppendFiles append = table.newFastAppend();
    for (int i = from; i < to; i++) {
      append.appendFile(file(table, i));
    }
    append.commit();
  }

  private static Schema schema() {
    List<Types.NestedField> columns = new ArrayList<>();
    for (int i = 1; i <= COLUMNS; i++) {
      columns.add(Types.NestedField.optional(i, "c" + i, Types.LongType.get()));
    }
    return new Schema(columns);
  }

  private static DataFile file(Table table, long at) {
    Map<Integer, Long> counts = new HashMap<>();
    Map<Integer, Long> nulls = new HashMap<>();
    Map<Integer, ByteBuffer> lower = new HashMap<>();
    Map<Integer, ByteBuffer> upper = new HashMap<>();
    for (int i = 1; i <= COLUMNS; i++) {
      counts.put(i, 1_000L);
      nulls.put(i, 0L);
      lower.put(i, Conversions.toByteBuffer(Types.LongType.get(), 100 * at * i));
      upper.put(i, Conversions.toByteBuffer(Types.LongType.get(), 100 * at * i + 120));
    }
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(table.location() + "/data/" + UUID.randomUUID() + ".parquet")
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(1_000_000)
        .withMetrics(new Metrics(1_000L, counts, counts, nulls, Map.of(), lower, upper))
        .build();
  }
}
