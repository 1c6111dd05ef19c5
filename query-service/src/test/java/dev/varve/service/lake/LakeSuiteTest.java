package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.Session;
import dev.varve.engine.suite.Configuration;
import dev.varve.engine.suite.Rows;
import dev.varve.engine.suite.SuiteData;
import dev.varve.engine.suite.SuiteStatement;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
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
 * The SQL suite over ordered tables that our own writer wrote, against DuckDB over the files they
 * were copied from.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LakeSuiteTest {
  private SuiteData data;
  private Lake lake;
  private List<SuiteStatement> statements;

  @BeforeAll
  void load(@TempDir Path folder) throws IOException {
    data = SuiteData.create(folder.resolve("files"), 0.002, 4_000);
    lake = Lake.open(folder.resolve("home"));
    lake.run("CREATE SCHEMA s");
    lake.run("USE lake.s");
    for (String table : data.tables()) {
      lake.run(
          "CREATE TABLE "
              + table
              + orderedBy(table)
              + " WITH (row_group_rows = 1000) AS SELECT * FROM '"
              + data.pattern(table)
              + "'"
              + (table.equals("t_big") ? " WHERE id < 1000" : ""));
    }
    lake.run(
        "INSERT INTO t_big SELECT * FROM '"
            + data.pattern("t_big")
            + "' WHERE id >= 1000 AND id < 2500");
    lake.run("INSERT INTO t_big SELECT * FROM '" + data.pattern("t_big") + "' WHERE id >= 2500");
    statements = SuiteStatement.topics(Path.of("../query-engine/src/test/resources/sql"));
  }

  private static String orderedBy(String table) {
    return switch (table) {
      case "t_big", "t_parts", "t_small" -> " ORDERED BY (id)";
      case "t_types" -> " ORDERED BY (c_date DESC NULLS LAST, c_dict)";
      case "t_floats" -> " ORDERED BY (x, id)";
      case "lineitem" -> " ORDERED BY (l_shipdate)";
      case "orders" -> " ORDERED BY (o_orderdate, o_orderkey)";
      case "customer" -> " ORDERED BY (c_acctbal DESC)";
      default -> "";
    };
  }

  @AfterAll
  void close() {
    lake.close();
    data.close();
  }

  @ParameterizedTest
  @EnumSource
  void equalsDuckDb(Configuration configuration) throws SQLException {
    Session session = lake.newSession();
    Lake.rows(session, "USE lake.s");
    configuration.apply(session);
    List<String> failures = new ArrayList<>();
    for (SuiteStatement statement : statements) {
      if (statement.error().isPresent() || statement.expected().isPresent()) {
        continue;
      }
      try {
        List<List<String>> ours = Lake.rows(session, statement.sql());
        List<List<String>> right = Rows.of(data.duckdb(), statement.sql());
        if (!(statement.ordered()
            ? ours.equals(right)
            : Rows.sorted(ours).equals(Rows.sorted(right)))) {
          failures.add(
              statement
                  + ": "
                  + ours.size()
                  + " rows, "
                  + right.size()
                  + " right\n  "
                  + statement.sql());
        }
      } catch (VarveException e) {
        if (configuration != Configuration.SMALL_POOL
            || e.code() != ErrorCode.MEMORY_LIMIT_EXCEEDED) {
          failures.add(statement + ": " + e.describe() + "\n  " + statement.sql());
        }
      }
    }
    assertThat(failures).as(String.join("\n", failures)).isEmpty();
  }
}
