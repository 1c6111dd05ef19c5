package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.Trust;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The idea from end to end: an ordered table's facts remove the sort, and one missing fact brings
 * it back by name.
 */
class FirstLightTest {
  private static final String ORDERED = "SELECT k, v FROM t ORDER BY k";

  private Lake lake;

  @BeforeEach
  void openLake(@TempDir Path folder) {
    lake = Lake.open(folder);
    lake.run("CREATE SCHEMA s");
    lake.run("USE lake.s");
    lake.run("CREATE TABLE t (k bigint, v varchar) ORDERED BY (k)");
    lake.run(
        "INSERT INTO t SELECT o_orderkey, o_comment FROM tpch.tiny.orders WHERE o_orderkey < 20000");
    lake.run(
        "INSERT INTO t SELECT o_orderkey, o_comment FROM tpch.tiny.orders"
            + " WHERE o_orderkey >= 20000 AND o_orderkey < 40000");
    lake.run(
        "INSERT INTO t SELECT o_orderkey, o_comment FROM tpch.tiny.orders WHERE o_orderkey >= 40000");
  }

  @AfterEach
  void closeLake() {
    lake.close();
  }

  @Test
  void orderByOnTheTablesOrderNeedsNoSortAndSaysWhy() {
    String plan = lake.explain(ORDERED);
    assertThat(plan).doesNotContain("SortExec").contains("verified").contains("k ASC");
    assertThat(lake.rows(ORDERED)).hasSize(15_000).isSortedAccordingTo(Lake.byFirstNumber());
  }

  @Test
  void oneFileWithoutVerifiedOrderBringsTheSortBackAndIsNamed() {
    String path = lake.files("t").get(1).path();
    lake.index().forget(facts -> facts.path().equals(path) ? asserted(facts) : facts);
    String plan = lake.explain(ORDERED);
    assertThat(plan).contains("SortExec").contains(fileName(path)).contains("asserted");
    assertThat(lake.rows(ORDERED)).hasSize(15_000).isSortedAccordingTo(Lake.byFirstNumber());
    lake.index().remember();
    assertThat(lake.explain(ORDERED)).doesNotContain("SortExec");
  }

  @Test
  void oneFileWithoutItsKeyRangeBringsTheSortBackAndIsNamed() {
    String path = lake.files("t").get(2).path();
    lake.index().forget(facts -> facts.path().equals(path) ? withoutRange(facts) : facts);
    lake.set("execution.target_partitions", "1");
    String plan = lake.explain(ORDERED);
    assertThat(plan).contains("SortExec").contains(fileName(path));
    assertThat(lake.rows(ORDERED)).hasSize(15_000).isSortedAccordingTo(Lake.byFirstNumber());
  }

  @Test
  void rangeFiltersAndPointLookupsSkipFiles() {
    String analyzed = lake.analyze("SELECT count(*) FROM t WHERE k BETWEEN 100 AND 200");
    assertThat(analyzed).contains("files_pruned=2");
    assertThat(lake.rows("SELECT k FROM t WHERE k = 32")).containsExactly(List.of("32"));
    assertThat(lake.analyze("SELECT v FROM t WHERE k = 32")).contains("files_pruned=2");
  }

  @Test
  void aMissingBoundKeepsTheFileNeverItsAbsence() {
    lake.index().forget(FirstLightTest::withoutBounds);
    assertThat(lake.rows("SELECT count(*) FROM t WHERE k BETWEEN 100 AND 200"))
        .isEqualTo(
            lake.rows(
                "SELECT count(*) FROM tpch.tiny.orders WHERE o_orderkey BETWEEN 100 AND 200"));
  }

  @Test
  void overlappingFilesAreMergedByCompactionWithoutASort() {
    lake.run(
        "INSERT INTO t SELECT o_orderkey, 'again' FROM tpch.tiny.orders WHERE o_orderkey % 7 = 0");
    List<List<String>> before = lake.rows("SELECT k, v FROM t ORDER BY k, v");
    List<List<String>> result = lake.rows("CALL system.compact('lake.s.t')");
    assertThat(result).hasSize(1);
    assertThat(lake.rows("SELECT k, v FROM t ORDER BY k, v")).isEqualTo(before);
    assertThat(lake.files("t")).hasSize(1);
    assertThat(lake.files("t").get(0).orderings().get(0).trust()).isEqualTo(Trust.VERIFIED);
    assertThat(lake.explain(ORDERED)).doesNotContain("SortExec");
  }

  @Test
  void theSystemTablesShowFactsAndOrderings() {
    assertThat(
            lake.rows("SELECT table_name, ordering, files, verified_files FROM system.orderings"))
        .containsExactly(List.of("t", "k ASC", "3", "3"));
    assertThat(lake.rows("SELECT trust FROM system.file_facts WHERE table_name = 't'")).hasSize(3);
    assertThat(
            lake.rows("SELECT count(*) FROM system.queries WHERE state = 'FINISHED'").get(0).get(0))
        .isNotEqualTo("0");
  }

  @Test
  void createTableAsIsAllOrNothing() {
    lake.run("CREATE TABLE c ORDERED BY (k DESC) AS SELECT k, v FROM t WHERE k < 100");
    assertThat(lake.rows("SELECT count(*) FROM c"))
        .isEqualTo(lake.rows("SELECT count(*) FROM t WHERE k < 100"));
    assertThat(lake.explain("SELECT * FROM c ORDER BY k DESC")).doesNotContain("SortExec");
    assertThatThrownBy(() -> lake.run("CREATE TABLE d AS SELECT 1 / (k - k) AS x FROM t"))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DIVISION_BY_ZERO));
    assertThat(lake.rows("SHOW TABLES")).doesNotContain(List.of("d"));
  }

  @Test
  void aFailingInsertLeavesTheTableAsItWas() {
    assertThatThrownBy(
            () -> lake.run("INSERT INTO t SELECT k, CAST(1 / (k - 32) AS varchar) FROM t"))
        .isInstanceOf(VarveException.class);
    assertThat(lake.rows("SELECT count(*) FROM t")).containsExactly(List.of("15000"));
    assertThat(lake.dataFilesOnDisk()).hasSize(3);
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static FileFacts asserted(FileFacts facts) {
    return withOrderings(
        facts,
        facts.orderings().stream()
            .map(o -> new OrderingFact(o.ordering(), Trust.ASSERTED, o.range()))
            .toList());
  }

  private static FileFacts withoutRange(FileFacts facts) {
    return withOrderings(
        withoutBounds(facts),
        facts.orderings().stream()
            .map(o -> new OrderingFact(o.ordering(), o.trust(), Optional.<KeyRange>empty()))
            .toList());
  }

  private static FileFacts withOrderings(FileFacts facts, List<OrderingFact> orderings) {
    return new FileFacts(
        facts.path(),
        facts.sizeBytes(),
        facts.recordCount(),
        facts.specId(),
        facts.schemaId(),
        facts.columns(),
        facts.rowGroups(),
        orderings);
  }

  private static FileFacts withoutBounds(FileFacts facts) {
    Map<Integer, ColumnFacts> columns = new HashMap<>();
    facts
        .columns()
        .forEach(
            (id, c) ->
                columns.put(
                    id,
                    new ColumnFacts(
                        id,
                        Bound.UNKNOWN,
                        Bound.UNKNOWN,
                        c.nullCount(),
                        c.nanCount(),
                        c.sizeBytes())));
    return new FileFacts(
        facts.path(),
        facts.sizeBytes(),
        facts.recordCount(),
        facts.specId(),
        facts.schemaId(),
        columns,
        new ArrayList<>(),
        facts.orderings());
  }
}
