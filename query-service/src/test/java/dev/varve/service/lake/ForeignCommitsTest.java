package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.catalog.background.BackgroundIndexer;
import dev.varve.engine.testing.ParquetFile;
import dev.varve.layout.Bound;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.Trust;
import dev.varve.service.check.OrderChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits that other engines made: seen at once, known better later. */
class ForeignCommitsTest {
  private Lake lake;
  private ForeignWriter foreign;
  private Table table;

  @BeforeEach
  void open(@TempDir Path folder) {
    lake = Lake.open(folder);
    lake.run("CREATE SCHEMA s");
    lake.run("USE lake.s");
    lake.run("CREATE TABLE t (k bigint, v varchar) ORDERED BY (k)");
    table = lake.table("t");
    foreign = new ForeignWriter();
  }

  @AfterEach
  void close() {
    foreign.close();
    lake.close();
  }

  private List<String> indexState(String columns) {
    return lake.rows("SELECT " + columns + " FROM system.index_state WHERE table_name = 't'")
        .getFirst();
  }

  @Test
  void rowsAreThereAtOnceWhileIndexingIsPausedAndTheIndexCatchesUp() {
    try (BackgroundIndexer indexer = lake.backgroundIndexer()) {
      foreign.append(table, "SELECT range AS k, 'a' AS v FROM range(100)", true);
      indexer.pause();
      foreign.append(table, "SELECT range + 100 AS k, 'b' AS v FROM range(50)", true);
      assertThat(lake.rows("SELECT count(*), max(k) FROM t"))
          .containsExactly(List.of("150", "149"));
      assertThat(lake.rows("SELECT v FROM t WHERE k = 120")).containsExactly(List.of("b"));
      assertThat(indexer.turn()).isFalse();
      assertThat(indexState("state, snapshots_behind")).containsExactly("behind", "1");
      lake.run("INSERT INTO t VALUES (1000, 'ours')");
      assertThat(lake.rows("SELECT count(*) FROM t")).containsExactly(List.of("151"));
      indexer.resume();
      assertThat(indexer.turn()).isTrue();
      assertThat(
              indexState(
                  "state, snapshots_behind, files_manifest, files_footer, files_writer,"
                      + " files_claimed, last_error"))
          .containsExactly("complete", "0", "0", "2", "1", "2", "NULL");
      assertThat(lake.files("t")).hasSize(3);
      assertThat(lake.rows("SELECT count(*) FROM t")).containsExactly(List.of("151"));
      assertThat(lake.files("t"))
          .as("what our writer said while it was paused is not lost")
          .anySatisfy(
              file -> assertThat(file.orderings().getFirst().trust()).isEqualTo(Trust.VERIFIED));
    }
  }

  @Test
  void footersBringRowGroupsAndExactBounds() {
    String path;
    try (BackgroundIndexer indexer = lake.backgroundIndexer()) {
      table
          .newAppend()
          .appendFile(
              foreign.write(
                  table, "SELECT range AS k, 'v' || range AS v FROM range(5000)", 2048, true))
          .commit();
      FileFacts before = lake.files("t").getFirst();
      assertThat(before.rowGroups()).isEmpty();
      assertThat(before.column(1).lower()).isEqualTo(Bound.UNKNOWN);
      path = before.path();
      indexer.turn();
    }
    FileFacts after = lake.files("t").getFirst();
    assertThat(after.rowGroups()).hasSize(3);
    assertThat(after.rowGroups().get(1).columns().get(1).lower()).isInstanceOf(Bound.Exact.class);
    assertThat(after.column(1).upper()).isInstanceOf(Bound.Exact.class);
    assertThat(after.column(2).upper()).as("text may be cut").isInstanceOf(Bound.Inexact.class);
    assertThat(after.column(1).nullCount()).hasValue(0);
    assertThat(after.orderings()).extracting(OrderingFact::trust).containsExactly(Trust.ASSERTED);
    assertThat(lake.analyze("SELECT v FROM t WHERE k = 10000000")).contains("files_pruned=1");
    assertThat(lake.rows("SELECT row_groups FROM system.file_facts WHERE path = '" + path + "'"))
        .containsExactly(List.of("3"));
  }

  /** INT96 never had an order; times in it lie on both sides of 1970. */
  @Test
  void int96AndNotANumberGiveNoBoundsThatExcludeRows() throws IOException {
    lake.run("CREATE TABLE u (at timestamp, x double)");
    Table other = lake.table("u");
    List<List<Object>> rows = new ArrayList<>();
    rows.add(List.of(int96(2_400_000, 5), 1.0));
    rows.add(List.of(int96(2_450_000, 3), Double.NaN));
    rows.add(List.of(int96(2_440_588, 0), -0.0));
    Path file =
        Files.createDirectories(Path.of(other.location().replaceFirst("^file:(//)?", "")))
            .resolve("old.parquet");
    ParquetFile.of("message m { optional int96 at; optional double x; }").write(file, rows);
    other
        .newAppend()
        .appendFile(
            DataFiles.builder(other.spec())
                .withPath(file.toString())
                .withFormat("parquet")
                .withFileSizeInBytes(Files.size(file))
                .withRecordCount(3)
                .build())
        .commit();
    try (BackgroundIndexer indexer = lake.backgroundIndexer()) {
      indexer.turn();
    }
    FileFacts facts = lake.files("u").getFirst();
    assertThat(facts.rowGroups()).hasSize(1);
    assertThat(facts.column(1).lower()).isEqualTo(Bound.UNKNOWN);
    assertThat(facts.column(1).upper()).isEqualTo(Bound.UNKNOWN);
    assertThat(lake.rows("SELECT count(*) FROM u WHERE at < TIMESTAMP '1970-01-01 00:00:01'"))
        .containsExactly(List.of("2"));
    assertThat(lake.rows("SELECT count(*) FROM u WHERE x > 100")).containsExactly(List.of("1"));
    assertThat(lake.rows("SELECT count(*) FROM u WHERE x = 0")).containsExactly(List.of("1"));
  }

  /** Julian day and nanoseconds of the day, as Impala and old Spark wrote times. */
  private static byte[] int96(int day, long nanos) {
    return java.nio.ByteBuffer.allocate(12)
        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
        .putLong(nanos)
        .putInt(day)
        .array();
  }

  @Test
  void aFileThatIsNotWhatItsManifestSaysIsReportedAndStillRead() throws IOException {
    var file = foreign.write(table, "SELECT range AS k, 'v' AS v FROM range(100)", 2048, true);
    table
        .newAppend()
        .appendFile(DataFiles.builder(table.spec()).copy(file).withRecordCount(99).build())
        .commit();
    try (BackgroundIndexer indexer = lake.backgroundIndexer()) {
      indexer.turn();
    }
    assertThat(indexState("state, files_unreadable")).containsExactly("complete", "1");
    assertThat(indexState("last_error").getFirst()).contains("has 100 rows, but its table says 99");
    assertThat(lake.rows("SELECT count(v) FROM t")).containsExactly(List.of("100"));
  }

  @Test
  void ordersAreCheckedInTheBackgroundAndEachOnce() {
    foreign.append(table, "SELECT range AS k, 'v' AS v FROM range(10000)", true);
    String query = "SELECT k FROM t ORDER BY k";
    assertThat(lake.explain(query)).contains("SortExec");
    try (OrderChecks checks = lake.orderChecks()) {
      assertThat(checks.turn()).isEqualTo(1);
      assertThat(lake.explain(query)).doesNotContain("SortExec");
      assertThat(checks.turn()).isZero();
      foreign.append(table, "SELECT 1000 - range AS k, 'v' AS v FROM range(1000)", true);
      assertThat(checks.turn()).isEqualTo(1);
    }
    assertThat(lake.explain(query)).contains("SortExec").contains("violated");
    assertThat(lake.rows(query)).hasSize(11_000).isSortedAccordingTo(Lake.byFirstNumber());
    assertThat(
            lake.rows(
                "SELECT verified_files, asserted_files, violated_files FROM system.orderings"
                    + " WHERE schema_name = 's' AND table_name = 't'"))
        .containsExactly(List.of("1", "0", "1"));
    assertThat(
            lake.rows(
                "SELECT trust, least_key, greatest_key FROM system.file_facts"
                    + " WHERE table_name = 't' ORDER BY trust"))
        .containsExactly(List.of("verified", "(0)", "(9999)"), List.of("violated", "NULL", "NULL"));
  }

  /** A filter by table must not load the facts of the others: one of them cannot be loaded. */
  @Test
  void systemTablesLookAtTheTablesThatAreAskedForOnly() {
    lake.run("CREATE TABLE other (k bigint) ORDERED BY (k)");
    lake.run("INSERT INTO other VALUES (1)");
    lake.run("INSERT INTO t VALUES (1, 'a')");
    lake.index()
        .forget(
            facts -> {
              if (facts.path().contains("/other-")) {
                throw new IllegalStateException("the facts of another table are loaded");
              }
              return facts;
            });
    assertThat(lake.rows("SELECT count(*) FROM system.file_facts WHERE table_name = 't'"))
        .containsExactly(List.of("1"));
    assertThat(
            lake.rows(
                "SELECT ordering FROM system.orderings"
                    + " WHERE 't' = table_name AND catalog_name = 'lake'"))
        .containsExactly(List.of("k ASC"));
    assertThat(lake.explain("SELECT path FROM system.file_facts WHERE table_name = 't'"))
        .contains("LakeScanExec: file_facts, table t")
        .doesNotContain("FilterExec");
    assertThat(lake.rows("SELECT count(*) FROM system.file_facts WHERE table_name = 'none'"))
        .containsExactly(List.of("0"));
    assertThat(lake.rows("SELECT state FROM system.index_state ORDER BY table_name"))
        .containsExactly(List.of("complete"), List.of("complete"));
  }
}
