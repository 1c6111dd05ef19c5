package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.Session;
import dev.varve.engine.differential.Answer;
import dev.varve.engine.differential.DifferentialRun;
import dev.varve.engine.differential.PostgresArbiter;
import dev.varve.engine.differential.TestColumn;
import dev.varve.engine.differential.TestTable;
import dev.varve.engine.suite.Configuration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries over random tables that our own writer put in order, in every configuration,
 * against DuckDB over the files that they were copied from. The properties of the harness replay it
 * and make it longer.
 */
class LakeDifferentialTest {
  private final long seed = Long.getLong("varve.differential.seed", 20_261_131L);
  private final int queries = Integer.getInteger("varve.differential.queries", 75);

  @Test
  void everyConfigurationGivesTheRowsOfDuckDb(@TempDir Path folder) throws Exception {
    try (Lake lake = Lake.open(folder.resolve("home"));
        DifferentialRun run =
            new DifferentialRun(
                seed,
                queries,
                (round, tables) -> new OverLake(lake, new Random(seed + round), round, tables),
                PostgresArbiter::start)) {
      run.run(folder);
      assertThat(run.failures()).as(String.join("\n\n", run.failures())).isEmpty();
      assertThat(run.same()).as("queries that both answer").isGreaterThan(run.refused() * 4);
    }
  }

  /** The round's tables in a schema of their own, in one or several commits. */
  private static final class OverLake implements DifferentialRun.Engines {
    private final Map<String, Function<String, Answer>> engines = new LinkedHashMap<>();

    OverLake(Lake lake, Random random, int round, List<TestTable> tables) {
      String schema = "lake.round" + round;
      lake.run("CREATE SCHEMA " + schema);
      for (TestTable table : tables) {
        load(lake, random, schema + "." + table.name(), table);
      }
      for (Configuration configuration : Configuration.values()) {
        Session session = lake.newSession();
        Lake.rows(session, "USE " + schema);
        configuration.apply(session);
        engines.put(configuration.name(), sql -> Answer.of(session.submit(sql)));
      }
    }

    private static void load(Lake lake, Random random, String name, TestTable table) {
      String from = " SELECT * FROM '" + table.pattern() + "'";
      boolean parts = random.nextBoolean();
      lake.run(
          "CREATE TABLE "
              + name
              + order(random, table.columns())
              + " WITH (row_group_rows = "
              + (1 + random.nextInt(random.nextBoolean() ? 50 : 2000))
              + ") AS"
              + from
              + (parts ? " WHERE k < 3" : ""));
      if (parts) {
        lake.run("INSERT INTO " + name + from + " WHERE k >= 3 AND k < 6");
        lake.run("INSERT INTO " + name + from + " WHERE (k < 3 OR (k >= 3 AND k < 6)) IS NOT TRUE");
      }
    }

    private static String order(Random random, List<TestColumn> columns) {
      List<String> names = new ArrayList<>(columns.stream().map(TestColumn::name).toList());
      if (random.nextBoolean()) {
        Collections.shuffle(names, random);
      }
      List<String> keys = new ArrayList<>();
      for (String column : names.subList(0, Math.min(names.size(), random.nextInt(4)))) {
        keys.add(
            column
                + List.of("", "", " DESC", " NULLS FIRST", " DESC NULLS LAST")
                    .get(random.nextInt(5)));
      }
      return keys.isEmpty() ? "" : " ORDERED BY (" + String.join(", ", keys) + ")";
    }

    @Override
    public Map<String, Function<String, Answer>> byConfiguration() {
      return engines;
    }

    @Override
    public void close() {
      // The lake closes its sessions.
    }
  }
}
