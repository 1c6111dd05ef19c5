package dev.varve.engine.differential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.suite.Configuration;
import dev.varve.engine.suite.ParquetTables;
import dev.varve.engine.suite.SuiteEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries over random files, in every configuration, against DuckDB over the same files.
 *
 * <p>{@code -Dvarve.differential.queries=5000} runs longer, {@code -Dvarve.differential.seed=n}
 * another seed, {@code -Dvarve.differential.round=n} only one set of tables.
 */
class DifferentialTest {
  private final long seed = Long.getLong("varve.differential.seed", 20_261_130L);
  private final int queries = Integer.getInteger("varve.differential.queries", 200);

  @Test
  void everyConfigurationGivesTheRowsOfDuckDb(@TempDir Path folder) throws Exception {
    try (DifferentialRun run =
        new DifferentialRun(
            seed, queries, (round, tables) -> new OverFiles(tables), PostgresArbiter::start)) {
      run.run(folder);
      assertThat(run.failures()).as(String.join("\n\n", run.failures())).isEmpty();
      assertThat(run.same()).as("queries that both answer").isGreaterThan(run.refused() * 4);
    }
  }

  private static final class OverFiles implements DifferentialRun.Engines, ParquetTables {
    private final List<TestTable> tables;
    private final Map<String, SuiteEngine> engines = new LinkedHashMap<>();

    OverFiles(List<TestTable> tables) {
      this.tables = tables;
      for (Configuration configuration : Configuration.values()) {
        engines.put(
            configuration.name(),
            new SuiteEngine(this, configuration.settings(), MemoryPools.greedy(1L << 28)));
      }
    }

    @Override
    public Map<String, Function<String, Answer>> byConfiguration() {
      Map<String, Function<String, Answer>> answers = new LinkedHashMap<>();
      engines.forEach((name, engine) -> answers.put(name, sql -> Answer.of(engine.submit(sql))));
      return answers;
    }

    @Override
    public List<String> tables() {
      return tables.stream().map(TestTable::name).toList();
    }

    @Override
    public String pattern(String table) {
      return tables.stream()
          .filter(t -> t.name().equals(table))
          .findFirst()
          .orElseThrow()
          .pattern();
    }

    @Override
    public void close() {
      new ArrayList<>(engines.values()).forEach(SuiteEngine::close);
    }
  }
}
