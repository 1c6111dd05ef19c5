package dev.varve.engine.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.memory.MemoryPools;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The 22 queries of TPC-H, planned with and without optimisations, against DuckDB. Numbers are
 * compared to six decimals: DuckDB divides and averages decimals as doubles.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TpchQueriesTest {
  private static final double TOLERANCE = 1e-6;

  private SuiteData data;

  @BeforeAll
  void makeFiles(@TempDir Path folder) {
    data = SuiteData.create(folder, 0.01, 100);
  }

  @AfterAll
  void closeFiles() {
    data.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "ONE_PARTITION", "NO_OPTIMIZATIONS", "SMALL_POOL"})
  void equalDuckDb(Configuration configuration) throws IOException, SQLException {
    List<String> failures = new ArrayList<>();
    try (SuiteEngine engine =
        new SuiteEngine(data, configuration.settings(), MemoryPools.greedy(1L << 30))) {
      for (int number = 1; number <= 22; number++) {
        String sql = SuiteData.resource("/tpch/q%02d.sql".formatted(number));
        try {
          String difference = difference(engine.rows(sql), Rows.of(data.duckdb(), sql));
          if (difference != null) {
            failures.add("q" + number + ": " + difference);
          }
        } catch (RuntimeException e) {
          failures.add("q" + number + ": " + e);
        }
      }
    }
    assertThat(failures).isEmpty();
  }

  private static String difference(List<List<String>> ours, List<List<String>> right) {
    if (ours.size() != right.size()) {
      return ours.size() + " rows instead of " + right.size();
    }
    for (int i = 0; i < ours.size(); i++) {
      for (int j = 0; j < right.get(i).size(); j++) {
        if (!same(ours.get(i).get(j), right.get(i).get(j))) {
          return "row " + i + ": " + ours.get(i) + " instead of " + right.get(i);
        }
      }
    }
    return null;
  }

  private static boolean same(String ours, String right) {
    if (ours.equals(right)) {
      return true;
    }
    try {
      double a = Double.parseDouble(ours);
      double b = Double.parseDouble(right);
      return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(b));
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
