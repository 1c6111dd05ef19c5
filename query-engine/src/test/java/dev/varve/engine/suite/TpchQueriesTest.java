package dev.varve.engine.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.memory.MemoryPools;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The 22 queries of TPC-H against DuckDB: over foreign Parquet files and over the {@code tpch}
 * catalog, in every configuration, and larger in the default one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TpchQueriesTest {
  private static final long POOL_BYTES = 1L << 30;

  private SuiteData data;
  private TpchQueries queries;

  /** Where every hash is the same a join compares all pairs. */
  private SuiteData smaller;

  private TpchQueries smallerQueries;

  @BeforeAll
  void makeFiles(@TempDir Path folder) {
    data = SuiteData.create(folder.resolve("hundredth"), 0.01, 100);
    queries = TpchQueries.answeredBy(data.duckdb());
    smaller = SuiteData.create(folder.resolve("thousandth"), 0.001, 100);
    smallerQueries = TpchQueries.answeredBy(smaller.duckdb());
  }

  @AfterAll
  void closeFiles() {
    data.close();
    smaller.close();
  }

  @ParameterizedTest
  @EnumSource
  void equalDuckDbOverItsFiles(Configuration configuration) {
    boolean slow = configuration == Configuration.CONSTANT_HASH;
    try (SuiteEngine engine =
        new SuiteEngine(
            slow ? smaller : data, configuration.settings(), MemoryPools.greedy(POOL_BYTES))) {
      assertThat((slow ? smallerQueries : queries).differences(engine::rows)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void equalDuckDbOverTheGeneratingCatalog(Configuration configuration) {
    boolean slow = configuration == Configuration.CONSTANT_HASH;
    try (SuiteEngine engine =
        SuiteEngine.startingIn(
            "tpch",
            slow ? "sf0_001" : "tiny",
            configuration.settings(),
            MemoryPools.greedy(POOL_BYTES))) {
      assertThat((slow ? smallerQueries : queries).differences(engine::rows)).isEmpty();
    }
  }

  @Test
  void equalDuckDbAtATenth(@TempDir Path folder) {
    try (SuiteData tenth = SuiteData.create(folder, 0.1, 100);
        SuiteEngine engine =
            new SuiteEngine(
                tenth, Configuration.DEFAULT.settings(), MemoryPools.greedy(POOL_BYTES))) {
      assertThat(TpchQueries.answeredBy(tenth.duckdb()).differences(engine::rows)).isEmpty();
    }
  }
}
