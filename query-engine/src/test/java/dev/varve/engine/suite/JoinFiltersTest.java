package dev.varve.engine.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Setting;
import dev.varve.engine.config.Settings;
import dev.varve.engine.memory.MemoryPools;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which joins let the keys of their build side skip rows of the other, and that rows stay right.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JoinFiltersTest {
  private static final String INNER =
      "SELECT count(*), sum(l_quantity) FROM lineitem JOIN part ON l_partkey = p_partkey"
          + " WHERE p_size = 1";
  private static final Pattern REMOVED = Pattern.compile("rows_removed_dynamic=(\\d+)");

  private SuiteData data;

  @BeforeAll
  void makeFiles(@TempDir Path folder) {
    data = SuiteData.create(folder, 0.01, 100);
  }

  @AfterAll
  void closeFiles() {
    data.close();
  }

  private String run(String sql, Settings settings) {
    try (SuiteEngine engine = new SuiteEngine(data, settings, MemoryPools.greedy(1L << 30))) {
      return engine.rows(sql).stream().map(row -> row.get(0)).collect(Collectors.joining("\n"));
    }
  }

  private void givesRightRows(String sql) throws SQLException {
    try (SuiteEngine engine =
        new SuiteEngine(data, Configuration.DEFAULT.settings(), MemoryPools.greedy(1L << 30))) {
      assertThat(Rows.sorted(engine.rows(sql))).isEqualTo(Rows.sorted(Rows.of(data.duckdb(), sql)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        INNER,
        "SELECT count(*) FROM lineitem WHERE l_partkey IN"
            + " (SELECT p_partkey FROM part WHERE p_size = 1)",
        "SELECT p_partkey, l_quantity FROM (SELECT * FROM part WHERE p_size = 1) p"
            + " LEFT JOIN lineitem ON l_partkey = p_partkey AND l_quantity > 45",
        "SELECT count(*) FROM part, (SELECT l_partkey AS k, sum(l_quantity) AS q FROM lineitem"
            + " GROUP BY l_partkey) t WHERE p_partkey = k AND p_size = 1",
        "SELECT count(*) FROM lineitem JOIN orders ON l_orderkey = o_orderkey"
            + " JOIN part ON l_partkey = p_partkey WHERE p_size = 1",
      })
  void areMadeWhereRowsWithoutAMatchAreDropped(String sql) throws SQLException {
    String plan = run("EXPLAIN ANALYZE " + sql, Configuration.DEFAULT.settings());
    assertThat(plan).contains("dynamic_filters=[").contains("dynamic=[keys(l_partkey");
    long removed = 0;
    for (Matcher match = REMOVED.matcher(plan); match.find(); ) {
      removed += Long.parseLong(match.group(1));
    }
    assertThat(removed).as(plan).isGreaterThan(5_000);
    givesRightRows(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT count(*), count(p_partkey) FROM (SELECT * FROM part WHERE p_size = 1) p"
            + " RIGHT JOIN lineitem ON l_partkey = p_partkey",
        "SELECT count(*), count(p_partkey) FROM (SELECT * FROM part WHERE p_size = 1) p"
            + " FULL JOIN lineitem ON l_partkey = p_partkey",
        "SELECT count(*) FROM lineitem WHERE NOT EXISTS"
            + " (SELECT 1 FROM part WHERE p_partkey = l_partkey AND p_size = 1)",
        "SELECT count(*) FROM lineitem WHERE l_partkey NOT IN"
            + " (SELECT p_partkey FROM part WHERE p_size = 1)",
      })
  void areNotMadeWhereTheyComeOut(String sql) throws SQLException {
    assertThat(run("EXPLAIN " + sql, Configuration.DEFAULT.settings()))
        .contains("DataSourceExec")
        .doesNotContain("dynamic=[keys(l_partkey");
    givesRightRows(sql);
  }

  @Test
  void eachSwitchTurnsThemOff() {
    for (Setting<Boolean> off :
        List.of(
            EngineSettings.DYNAMIC_FILTERS,
            EngineSettings.JOIN_DYNAMIC_FILTERS,
            EngineSettings.OPTIMIZER)) {
      Settings settings = Configuration.DEFAULT.settings();
      assertThat(run("EXPLAIN " + INNER, settings)).contains("dynamic=[");
      assertThat(run("EXPLAIN " + INNER, settings.with(off, false)))
          .contains("DataSourceExec")
          .doesNotContain("dynamic");
    }
  }
}
