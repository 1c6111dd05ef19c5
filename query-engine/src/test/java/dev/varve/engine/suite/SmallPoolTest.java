package dev.varve.engine.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.memory.MemoryPools;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** That statements under the small pool really spill, and give DuckDB's rows all the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SmallPoolTest {
  private SuiteData data;
  private SuiteEngine engine;

  @BeforeAll
  void makeFiles(@TempDir Path folder) {
    data = SuiteData.create(folder, 0.01, 100);
    engine =
        new SuiteEngine(data, Configuration.SMALL_POOL.settings(), MemoryPools.greedy(1L << 30));
  }

  @AfterAll
  void closeFiles() {
    engine.close();
    data.close();
  }

  private void spills(String node, boolean ordered, String sql) throws java.sql.SQLException {
    List<List<String>> ours = engine.rows(sql);
    List<List<String>> right = Rows.of(data.duckdb(), sql);
    assertThat(ordered ? ours : Rows.sorted(ours)).isEqualTo(ordered ? right : Rows.sorted(right));
    String plan =
        engine.rows("EXPLAIN ANALYZE " + sql).stream()
            .map(row -> String.join(" ", row))
            .collect(Collectors.joining("\n"));
    assertThat(plan).containsPattern(node + ": .*spill_files=[1-9].*spilled_bytes=[1-9].*");
  }

  @Test
  void aSortSpills() throws java.sql.SQLException {
    spills(
        "SortExec",
        true,
        "SELECT l_extendedprice, l_orderkey, l_linenumber, l_comment FROM lineitem"
            + " ORDER BY l_extendedprice, l_orderkey, l_linenumber");
  }

  @Test
  void aTopKOfManyRowsSpills() throws java.sql.SQLException {
    spills(
        "SortExec",
        true,
        "SELECT l_comment, l_orderkey, l_linenumber FROM lineitem"
            + " ORDER BY l_comment, l_orderkey, l_linenumber LIMIT 50000");
  }

  @Test
  void anAggregationSpills() throws java.sql.SQLException {
    spills(
        "AggregateExec",
        false,
        "SELECT l_orderkey, l_linenumber, l_comment, count(*), sum(l_quantity), max(l_shipdate)"
            + " FROM lineitem GROUP BY l_orderkey, l_linenumber, l_comment");
  }

  @Test
  void aDistinctSpills() throws java.sql.SQLException {
    spills("AggregateExec", false, "SELECT DISTINCT l_comment, l_partkey FROM lineitem");
  }

  /** One group cannot be divided: from disk it would come back for ever. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aGroupLargerThanThePoolIsRefusedByName() {
    assertThatThrownBy(
            () ->
                engine.rows(
                    "SELECT l_returnflag, length(max(repeat(l_comment, 100000))) FROM lineitem"
                        + " WHERE l_orderkey <= 3 GROUP BY l_returnflag"))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED))
        .hasMessageContaining("AggregateExec");
  }
}
