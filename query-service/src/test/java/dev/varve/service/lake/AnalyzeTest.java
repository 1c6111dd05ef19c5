package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.yahoo.memory.NativeMemory;
import com.yahoo.sketches.theta.Sketch;
import com.yahoo.sketches.theta.Sketches;
import dev.varve.engine.port.AccessControl.Privilege;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.BlobMetadata;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinReader;
import org.apache.iceberg.puffin.StandardBlobTypes;
import org.apache.iceberg.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ANALYZE writes statistics that others read, and the planner uses them. */
class AnalyzeTest {
  @TempDir Path folder;

  private static void fill(Lake lake) {
    lake.run("CREATE SCHEMA s");
    lake.run("USE lake.s");
    lake.run(
        "CREATE TABLE t (k bigint, g integer, s varchar, m decimal(12, 2), w decimal(30, 2),"
            + " x double, d date, nothing varchar)");
    for (int file = 0; file < 3; file++) {
      lake.run(
          ("INSERT INTO t SELECT l_orderkey * 10 + l_linenumber + %d * 1000000,"
                  + " CAST(l_linenumber AS integer), l_comment, l_extendedprice,"
                  + " l_extendedprice * 1000000, CAST(l_quantity AS double), l_shipdate, NULL"
                  + " FROM tpch.\"sf0.01\".lineitem")
              .formatted(file));
    }
  }

  private static Map<String, Long> analyze(Lake lake) {
    Map<String, Long> counts = new HashMap<>();
    lake.rows("ANALYZE t").forEach(row -> counts.put(row.get(0), Long.parseLong(row.get(1))));
    return counts;
  }

  @Test
  void everyColumnIsCountedAndOtherReadersReadTheSketches() throws IOException {
    try (Lake lake = Lake.open(folder)) {
      fill(lake);
      Map<String, Long> counted = analyze(lake);
      Table table = lake.table("t");
      assertThat(table.statisticsFiles()).hasSize(1);
      StatisticsFile file = table.statisticsFiles().getFirst();
      assertThat(file.snapshotId()).isEqualTo(table.currentSnapshot().snapshotId());
      assertThat(file.blobMetadata()).hasSize(8);
      try (PuffinReader reader =
          Puffin.read(table.io().newInputFile(file.path()))
              .withFileSize(file.fileSizeInBytes())
              .withFooterSize(file.fileFooterSizeInBytes())
              .build()) {
        for (Pair<org.apache.iceberg.puffin.BlobMetadata, ByteBuffer> blob :
            reader.readAll(reader.fileMetadata().blobs())) {
          assertThat(blob.first().type()).isEqualTo(StandardBlobTypes.APACHE_DATASKETCHES_THETA_V1);
          String column = table.schema().findColumnName(blob.first().inputFields().getFirst());
          long exact =
              Long.parseLong(
                  lake.rows("SELECT count(DISTINCT \"" + column + "\") FROM t").get(0).get(0));
          double read = estimate(blob.second());
          assertThat(read).as(column).isBetween(exact * 0.94, exact * 1.06);
          assertThat(Math.round(read)).as(column).isEqualTo(counted.get(column));
          assertThat(blob.first().properties()).containsEntry("ndv", counted.get(column) + "");
        }
      }
      for (BlobMetadata blob : file.blobMetadata()) {
        String column = table.schema().findColumnName(blob.fields().getFirst());
        assertThat(blob.properties()).containsEntry("ndv", counted.get(column) + "");
      }
    }
  }

  /** By the library that defines the format. */
  private static double estimate(ByteBuffer blob) {
    byte[] bytes = new byte[blob.remaining()];
    blob.duplicate().get(bytes);
    Sketch sketch = Sketches.heapifySketch(new NativeMemory(bytes));
    return sketch.getEstimate();
  }

  @Test
  void estimatesFollowTheSketchesAlsoWhenTheyAreOlder() {
    try (Lake lake = Lake.open(folder)) {
      fill(lake);
      lake.index().forget(AnalyzeTest::withoutDistinctCounts);
      String query = "SELECT s FROM t WHERE s = 'x'";
      long before = estimatedRows(lake, query);
      Map<String, Long> counted = analyze(lake);
      long rows = Long.parseLong(lake.rows("SELECT count(*) FROM t").get(0).get(0));
      long expected = (long) Math.ceil((double) rows / counted.get("s"));
      assertThat(before).isNotEqualTo(expected);
      assertThat(estimatedRows(lake, query)).isEqualTo(expected);
      lake.run("INSERT INTO t SELECT * FROM t");
      assertThat(estimatedRows(lake, query)).isBetween(2 * expected - 1, 2 * expected);
    }
  }

  private static FileFacts withoutDistinctCounts(FileFacts facts) {
    Map<Integer, ColumnFacts> columns = new HashMap<>();
    facts
        .columns()
        .forEach((id, column) -> columns.put(id, column.withDistinctCount(OptionalLong.empty())));
    return new FileFacts(
        facts.path(),
        facts.sizeBytes(),
        facts.recordCount(),
        facts.specId(),
        facts.schemaId(),
        columns,
        facts.rowGroups(),
        facts.orderings());
  }

  private static long estimatedRows(Lake lake, String sql) {
    Matcher found =
        Pattern.compile("DataSourceExec.*estimated_rows=(\\d+)").matcher(lake.analyze(sql));
    assertThat(found.find()).isTrue();
    return Long.parseLong(found.group(1));
  }

  @Test
  void analyzingAgainReplacesTheSnapshotsStatistics() {
    try (Lake lake = Lake.open(folder)) {
      fill(lake);
      assertThat(analyze(lake)).isEqualTo(analyze(lake));
      assertThat(lake.table("t").statisticsFiles()).hasSize(1);
      lake.run("CREATE TABLE empty (k bigint)");
      assertThat(lake.rows("ANALYZE TABLE lake.s.empty")).containsExactly(List.of("k", "0"));
      assertThat(lake.table("empty").statisticsFiles()).isEmpty();
    }
  }

  @Test
  void onlyWhoMaintainsATableMayAnalyzeIt() {
    boolean[] refuses = {false};
    try (Lake lake =
        Lake.open(
            folder,
            (principal, accesses) -> {
              if (refuses[0]
                  && accesses.stream().anyMatch(a -> a.privilege() == Privilege.MAINTAIN)) {
                throw new VarveException(
                    ErrorCode.INSUFFICIENT_PRIVILEGE, "no MAINTAIN on " + accesses);
              }
            })) {
      fill(lake);
      refuses[0] = true;
      assertThatThrownBy(() -> lake.run("ANALYZE t"))
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INSUFFICIENT_PRIVILEGE));
      assertThat(lake.table("t").statisticsFiles()).isEmpty();
      assertThatThrownBy(() -> lake.run("ANALYZE s.nothing")).isInstanceOf(VarveException.class);
    }
  }
}
