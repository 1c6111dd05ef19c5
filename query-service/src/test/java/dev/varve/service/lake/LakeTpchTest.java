package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.Session;
import dev.varve.engine.suite.Configuration;
import dev.varve.engine.suite.SuiteData;
import dev.varve.engine.suite.TpchQueries;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The 22 queries of TPC-H over tables that our own writer wrote in order, against DuckDB. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LakeTpchTest {
  private static final List<String> TABLES =
      List.of("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem");

  private Lake lake;
  private TpchQueries queries;

  /** Where every hash is the same a join compares all pairs. */
  private TpchQueries smallerQueries;

  @BeforeAll
  void load(@TempDir Path folder) {
    lake = Lake.open(folder.resolve("home"));
    queries = load("s", "tiny", folder, 0.01);
    smallerQueries = load("smaller", "sf0_001", folder, 0.001);
  }

  private TpchQueries load(String schema, String source, Path folder, double scale) {
    lake.run("CREATE SCHEMA " + schema);
    for (String table : TABLES) {
      lake.run(
          "CREATE TABLE lake."
              + schema
              + "."
              + table
              + orderedBy(table)
              + " WITH (row_group_rows = 5000) AS SELECT * FROM tpch."
              + source
              + "."
              + table);
    }
    try (SuiteData data = SuiteData.create(folder.resolve(source), scale, 100)) {
      return TpchQueries.answeredBy(data.duckdb());
    }
  }

  private static String orderedBy(String table) {
    return switch (table) {
      case "lineitem" -> " ORDERED BY (l_orderkey, l_linenumber)";
      case "orders" -> " ORDERED BY (o_orderkey)";
      case "partsupp" -> " ORDERED BY (ps_partkey, ps_suppkey)";
      case "part" -> " ORDERED BY (p_partkey)";
      case "customer" -> " ORDERED BY (c_mktsegment, c_custkey)";
      default -> "";
    };
  }

  @AfterAll
  void close() {
    lake.close();
  }

  @ParameterizedTest
  @EnumSource
  void equalDuckDb(Configuration configuration) {
    boolean slow = configuration == Configuration.CONSTANT_HASH;
    Session session = lake.newSession();
    Lake.rows(session, "USE lake." + (slow ? "smaller" : "s"));
    configuration.apply(session);
    assertThat((slow ? smallerQueries : queries).differences(sql -> Lake.rows(session, sql)))
        .isEmpty();
  }
}
