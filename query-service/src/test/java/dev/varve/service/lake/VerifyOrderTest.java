package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.runtime.QueryState;
import dev.varve.engine.suite.Rows;
import dev.varve.engine.testing.IcebergFiles;
import dev.varve.layout.FileCheck;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.Trust;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Orders that other engines claim count for nothing until the rows were compared. */
class VerifyOrderTest {
  private static final String VERIFY = "CALL system.verify_order('lake.s.t')";

  private Lake lake;
  private ForeignWriter foreign;

  @BeforeEach
  void open(@TempDir Path folder) {
    lake = Lake.open(folder);
    lake.run("CREATE SCHEMA s");
    lake.run("USE lake.s");
    foreign = new ForeignWriter();
  }

  @AfterEach
  void close() {
    foreign.close();
    lake.close();
  }

  private Table create(String columns, String orderedBy) {
    lake.run("CREATE TABLE t (" + columns + ") ORDERED BY (" + orderedBy + ")");
    return lake.table("t");
  }

  private Trust trust(String path) {
    return fact(path).trust();
  }

  private OrderingFact fact(String path) {
    return lake.files("t").stream()
        .filter(f -> f.path().equals(path))
        .findFirst()
        .orElseThrow()
        .orderings()
        .getFirst();
  }

  @Test
  void aClaimedOrderRemovesTheSortOnceItIsVerified() {
    Table table = create("k bigint, v varchar", "k");
    String path =
        foreign.append(
            table, "SELECT range AS k, 'v' || range AS v FROM range(10000) ORDER BY k", true);
    String query = "SELECT k, v FROM t ORDER BY k";
    assertThat(lake.explain(query)).contains("SortExec").contains("asserted");
    List<List<String>> rows = lake.rows(query);
    List<List<String>> report = lake.rows(VERIFY);
    assertThat(report)
        .singleElement()
        .satisfies(
            line -> assertThat(line).startsWith(path, "k ASC", "asserted", "verified", "10000"));
    assertThat(fact(path).range()).hasValueSatisfying(r -> assertThat(r.lowerExact()).isTrue());
    assertThat(lake.explain(query)).doesNotContain("SortExec");
    assertThat(lake.rows(query)).isEqualTo(rows);
    assertThat(lake.rows(VERIFY))
        .as("nothing is compared twice")
        .singleElement()
        .satisfies(line -> assertThat(line.getLast()).isEqualTo("of 1 files it was known already"));
  }

  @Test
  void twoSwappedRowsAreFoundAndNamed() {
    Table table = create("k bigint, v varchar", "k");
    String path =
        foreign.append(
            table,
            "SELECT CASE range WHEN 7000 THEN 7001 WHEN 7001 THEN 7000 ELSE range END AS k,"
                + " 'v' AS v FROM range(10000)",
            true);
    List<String> line = lake.rows(VERIFY).getFirst();
    assertThat(line).startsWith(path, "k ASC", "asserted", "violated");
    assertThat(line.getLast()).isEqualTo("row 7002 (7000) comes after (7001)");
    assertThat(trust(path)).isEqualTo(Trust.VIOLATED);
    String query = "SELECT k FROM t ORDER BY k";
    assertThat(lake.explain(query)).contains("SortExec").contains("violated");
    assertThat(lake.rows(query)).hasSize(10_000).isSortedAccordingTo(Lake.byFirstNumber());
  }

  @Test
  void rowGroupsThatAreSortedEachButNotInARowAreViolated() {
    Table table = create("k bigint, v varchar", "k");
    table
        .newAppend()
        .appendFile(
            foreign.write(table, "SELECT range % 2048 AS k, 'v' AS v FROM range(4096)", 2048, true))
        .commit();
    assertThat(lake.rows(VERIFY).getFirst().getLast()).startsWith("row 2049 (0) comes after");
  }

  /** The worst that can be: an order that was taken for verified is not there. */
  @Test
  void noNewStatementTrustsAnOrderThatTurnedOutToBeViolated() {
    Table table = create("k bigint, v varchar", "k");
    String path =
        foreign.append(table, "SELECT 10000 - range AS k, 'v' AS v FROM range(10000)", true);
    FileFacts file = lake.files("t").getFirst();
    lake.index()
        .record(
            table.uuid().toString(),
            List.of(
                new FileCheck(
                    path,
                    file.sizeBytes(),
                    Optional.empty(),
                    List.of(
                        new OrderingFact(
                            file.orderings().getFirst().ordering(),
                            Trust.VERIFIED,
                            Optional.empty())))));
    String query = "SELECT k FROM t ORDER BY k";
    Session other = lake.newSession();
    Lake.rows(other, "USE lake.s");
    var prepared = other.prepare(query);
    assertThat(lake.explain(query)).as("the lie is believed").doesNotContain("SortExec");
    assertThat(lake.rows(query)).isNotEmpty();
    assertThat(Lake.rows(other, query)).isNotEmpty();
    List<String> line =
        lake.rows("CALL system.verify_order('lake.s.t', recheck => true)").getFirst();
    assertThat(line).startsWith(path, "k ASC", "verified", "violated");
    assertThat(lake.explain(query)).contains("SortExec").contains("violated");
    assertThat(lake.rows(query)).hasSize(10_000).isSortedAccordingTo(Lake.byFirstNumber());
    assertThat(Lake.rows(other, query)).isSortedAccordingTo(Lake.byFirstNumber());
    try (QueryHandle run = prepared.execute(List.of())) {
      assertThat(Rows.of(run)).hasSize(10_000).isSortedAccordingTo(Lake.byFirstNumber());
    }
    assertThat(lake.rows("SELECT hits > 0 FROM system.plan_cache"))
        .as("kept plans took part")
        .containsExactly(List.of("true"));
  }

  /** Each order of the values below, and each with two rows of another key swapped. */
  @ParameterizedTest
  @CsvSource({
    "k,                   k ASC NULLS LAST",
    "k NULLS FIRST,       k ASC NULLS FIRST",
    "k DESC,              k DESC NULLS FIRST",
    "k DESC NULLS LAST,   k DESC NULLS LAST",
    "'s DESC, k',         's DESC NULLS FIRST, k ASC NULLS LAST'",
    "'u, x DESC',         'u ASC NULLS LAST, x DESC NULLS FIRST'"
  })
  void nullsNaNsAndDirectionsAreComparedAsTheEngineSorts(String ordered, String duckDb) {
    Table table = create("k double, s varchar, u uuid, x decimal(20,3)", ordered);
    String values =
        "SELECT CASE range % 7 WHEN 0 THEN NULL WHEN 1 THEN 'NaN'::DOUBLE WHEN 2 THEN 0.0"
            + " WHEN 3 THEN '-Infinity'::DOUBLE ELSE range * 0.5 - 300 END AS k,"
            + " CASE range % 5 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE"
            + " repeat(chr((range % 3 + 8364)::INT), (range % 90)::INT) END AS s,"
            + " CASE WHEN range % 11 = 0 THEN NULL ELSE md5(range::VARCHAR)::UUID END AS u,"
            + " (range * 7919 % 1000 - 500)::DECIMAL(20,3) AS x FROM range(3000)";
    String sorted = "SELECT * FROM (" + values + ") ORDER BY " + duckDb;
    String right = foreign.append(table, sorted, true);
    String wrong =
        foreign.append(
            table,
            "SELECT k, s, u, x FROM (SELECT *, row_number() OVER () AS n FROM ("
                + sorted
                + ")) ORDER BY CASE n WHEN 10 THEN 2990 WHEN 2990 THEN 10 ELSE n END",
            true);
    lake.run(VERIFY);
    assertThat(trust(right)).isEqualTo(Trust.VERIFIED);
    assertThat(trust(wrong)).isEqualTo(Trust.VIOLATED);
    // What is verified is really what the engine sorts to.
    lake.set("testing.check_order", "true");
    String[] keys = ordered.split(",");
    assertThat(lake.rows("SELECT k, s FROM t ORDER BY " + String.join(",", keys))).hasSize(6000);
  }

  @Test
  void keysThatAreLongerThanTheIndexKeepsAreComparedToTheirEnds() {
    Table table = create("s varchar, v bigint", "s");
    String prefix = "a".repeat(300);
    String query = "SELECT '%s' || printf('%%04d', %s) AS s, range AS v FROM range(1000)";
    String right = foreign.append(table, query.formatted(prefix, "range"), true);
    String wrong = foreign.append(table, query.formatted(prefix, "999 - range"), true);
    lake.run(VERIFY);
    assertThat(trust(right)).isEqualTo(Trust.VERIFIED);
    assertThat(fact(right).range())
        .hasValueSatisfying(
            range -> {
              assertThat(range.lowerExact()).isFalse();
              assertThat(range.upperExact()).isFalse();
            });
    assertThat(trust(wrong)).isEqualTo(Trust.VIOLATED);
    assertThat(lake.rows("SELECT s FROM t WHERE s > '" + prefix + "0998'")).hasSize(2);
  }

  @Test
  void anOrderThatNobodyClaimedCanBeAskedFor() {
    lake.run("CREATE TABLE t (k bigint, \"V\" bigint)");
    Table table = lake.table("t");
    String path =
        foreign.append(
            table, "SELECT range // 10 AS k, 9 - range % 10 AS V FROM range(5000)", false);
    assertThat(lake.rows(VERIFY).getFirst().getLast())
        .isEqualTo("of 1 files no order is claimed, and the table has none");
    assertThat(lake.rows("CALL system.verify_order('t', ordering => 'k, \"V\" desc nulls last')"))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .startsWith(path, "k ASC, V DESC NULLS LAST", "NULL", "verified", "5000"));
    assertThat(lake.explain("SELECT k, \"V\" FROM t ORDER BY k")).doesNotContain("SortExec");
    assertThat(lake.explain("SELECT k, \"V\" FROM t ORDER BY k, \"V\" DESC NULLS LAST"))
        .doesNotContain("SortExec");
    assertThat(lake.explain("SELECT k, \"V\" FROM t ORDER BY k, \"V\"")).contains("SortExec");
  }

  @Test
  void onlyTheFilesThatAreMeantAreRead() {
    Table table = create("k bigint, v varchar", "k");
    String first = foreign.append(table, "SELECT range AS k, 'v' AS v FROM range(100)", true);
    String second = foreign.append(table, "SELECT range AS k, 'v' AS v FROM range(100)", true);
    String name = first.substring(first.lastIndexOf('/') + 1);
    assertThat(lake.rows("CALL system.verify_order('t', files => '%/" + name + "')"))
        .singleElement()
        .satisfies(line -> assertThat(line.getFirst()).isEqualTo(first));
    assertThat(trust(first)).isEqualTo(Trust.VERIFIED);
    assertThat(trust(second)).isEqualTo(Trust.ASSERTED);
  }

  @Test
  void filesOfAnOrderedTableThatClaimNothingAreCheckedToo() {
    Table table = create("k bigint, v varchar", "k");
    String path = foreign.append(table, "SELECT range AS k, 'v' AS v FROM range(100)", false);
    assertThat(lake.rows(VERIFY).getFirst()).startsWith(path, "k ASC", "NULL", "verified");
    assertThat(lake.explain("SELECT k FROM t ORDER BY k")).doesNotContain("SortExec");
  }

  /** Older snapshots see the row that a delete hides from this one. */
  @Test
  void deletedRowsCountAsMuchAsOthers() {
    Table table = create("k bigint, v varchar", "k");
    String path =
        foreign.append(
            table,
            "SELECT CASE range WHEN 50 THEN 1000 ELSE range END AS k, 'v' AS v FROM range(100)",
            true);
    table
        .newRowDelta()
        .addDeletes(
            new IcebergFiles(table)
                .positions(table.spec(), null, List.of(new IcebergFiles.Place(path, 50))))
        .commit();
    assertThat(lake.rows("SELECT count(*), max(k) FROM t")).containsExactly(List.of("99", "99"));
    assertThat(lake.rows(VERIFY).getFirst()).startsWith(path, "k ASC", "asserted", "violated");
  }

  @Test
  void aFileThatCannotBeReadIsReportedAndTheOthersAreChecked() throws Exception {
    Table table = create("k bigint, v varchar", "k");
    String gone = foreign.append(table, "SELECT range AS k, 'v' AS v FROM range(100)", true);
    String there = foreign.append(table, "SELECT range AS k, 'v' AS v FROM range(100)", true);
    java.nio.file.Files.delete(Path.of(gone));
    List<List<String>> report = lake.rows(VERIFY);
    assertThat(report)
        .filteredOn(line -> line.getFirst().equals(gone))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line).startsWith(gone, "k ASC", "asserted", "asserted", "0");
              assertThat(line.getLast()).contains("does not exist");
            });
    assertThat(trust(there)).isEqualTo(Trust.VERIFIED);
  }

  @Test
  void aSlowCheckCanBeCancelledAndKeepsWhatItFound() throws Exception {
    Table table = create("k bigint, v varchar", "k");
    for (int i = 0; i < 3; i++) {
      foreign.append(table, "SELECT range AS k, 'v' AS v FROM range(100000)", true);
    }
    Session session = lake.newSession();
    try (QueryHandle query =
        session.submit("CALL system.verify_order('lake.s.t', bytes_per_second => 1)")) {
      for (int i = 0; i < 500 && query.state() != QueryState.RUNNING; i++) {
        Thread.sleep(10);
      }
      Thread.sleep(200);
      query.cancel();
      assertThatThrownBy(query::nextBatch)
          .isInstanceOfSatisfying(
              VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_CANCELED));
    }
    assertThat(lake.files("t")).allMatch(f -> f.orderings().getFirst().trust() == Trust.ASSERTED);
    assertThat(lake.rows("CALL system.verify_order('lake.s.t', bytes_per_second => 100000000)"))
        .hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "k,            | 'k,' is not an ordering from character 3 on",
        "k v           | 'k v' is not an ordering from character 1 on",
        "k nulls       | 'k nulls' is not an ordering from character 1 on",
        "x desc        | column 'x' of the ordering is not in the table",
        "k, k desc     | 'k, k desc' names a column twice"
      })
  void badOrderingsAreRefused(String ordering, String message) {
    create("k bigint, v varchar", "k");
    assertThatThrownBy(
            () -> lake.run("CALL system.verify_order('t', ordering => '" + ordering + "')"))
        .isInstanceOf(VarveException.class)
        .hasMessageContaining(message);
  }
}
