package dev.varve.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.service.client.ResultPage;
import dev.varve.service.client.VarveClient;
import dev.varve.service.home.Home;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Spark and Varve over one catalog: what one writes the other reads at once. Runs under the profile
 * "spark", which brings Spark's jars ({@code varve.spark.jars}) and the packed service ({@code
 * varve.jar}). What was said is left in {@code target/spark-transcript.txt}.
 */
@Timeout(900)
class SparkIT {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Path TRANSCRIPT = Path.of("target/spark-transcript.txt");

  @TempDir static Path directory;

  private static ChildService service;
  private static SparkProcess spark;
  private static VarveClient varve;
  private static HttpClient http;

  @BeforeAll
  static void start() throws Exception {
    Home home = new Home(directory.resolve("home"));
    service = ChildService.start(directory, home);
    varve = service.client();
    varve.openSession();
    http = HttpClient.newHttpClient();
    spark =
        new SparkProcess(
            directory,
            Path.of(System.getProperty("varve.spark.jars")).toAbsolutePath(),
            service.server().url().resolve("/iceberg"),
            service.server().token());
    spark.sql("CREATE NAMESPACE lake.shop");
  }

  @AfterAll
  static void stop(TestInfo info) throws Exception {
    if (spark != null) {
      Files.write(TRANSCRIPT, spark.transcript());
      spark.close();
    }
    http.close();
    varve.close();
    service.close();
  }

  /** Runs a statement in Varve; its rows as {@link #same} compares them. */
  private static List<String> varve(String sql) throws IOException {
    String id = varve.submit(sql);
    List<String> rows = new ArrayList<>();
    long token = 0;
    do {
      ResultPage page = varve.fetch(id, token, 10_000, 1_000);
      for (JsonNode row : page.rows()) {
        List<String> values = new ArrayList<>();
        row.forEach(value -> values.add(value.isNull() ? "null" : value.asString()));
        rows.add(String.join("\t", values));
      }
      assertThat(page.state()).as(sql + " " + varve.status(id)).isNotEqualTo("FAILED");
      token = page.nextToken();
    } while (token >= 0);
    spark.say("varve> " + sql);
    spark.say("  " + rows.size() + " rows");
    return rows;
  }

  /** Numbers by value: engines write decimals and doubles with more or fewer zeros. */
  private static List<String> same(List<String> rows) {
    List<String> result = new ArrayList<>(rows.size());
    for (String row : rows) {
      List<String> values = new ArrayList<>();
      for (String value : row.split("\t", -1)) {
        values.add(number(value));
      }
      result.add(String.join("\t", values));
    }
    return result;
  }

  private static String number(String value) {
    try {
      return new BigDecimal(value).stripTrailingZeros().toPlainString();
    } catch (NumberFormatException e) {
      return value;
    }
  }

  /** The table's rows are the same to Spark by both ways of planning and to Varve. */
  private static List<String> compare(String table, String columns) throws IOException {
    String select = "SELECT " + columns + " FROM %s." + table + " ORDER BY " + columns;
    List<String> expected = same(spark.sql(select.formatted("lake")));
    // Spark has nulls first.
    String nullsFirst = columns.replace(",", " NULLS FIRST,") + " NULLS FIRST";
    List<String> got =
        same(varve("SELECT " + columns + " FROM lake." + table + " ORDER BY " + nullsFirst));
    assertThat(got).as(table).isEqualTo(expected);
    assertThat(same(spark.sql(select.formatted("planned")))).as(table).isEqualTo(expected);
    return expected;
  }

  private static void insert(String table, String columns, int from, int to) throws IOException {
    spark.sql(
        "INSERT INTO lake.%s SELECT %s FROM range(%d, %d)".formatted(table, columns, from, to));
  }

  private static final String VALUES =
      "cast(id AS int) AS id, concat('name ', id % 17) AS name, cast(id / 4 AS decimal(9,2)) AS price,"
          + " date_add(DATE'2026-01-01', cast(id % 40 AS int)) AS at,"
          + " CASE WHEN id % 5 = 0 THEN NULL WHEN id % 7 = 0 THEN double('NaN') ELSE id * 0.5D END AS x";

  @ParameterizedTest(name = "format {0}, {1}")
  @CsvSource({"2, copy-on-write", "2, merge-on-read", "3, merge-on-read"})
  void whateverSparkDoesVarveSeesAtOnce(int format, String mode) throws IOException {
    String table = "shop.orders_" + format + "_" + mode.replace('-', '_');
    String all = "id, name, price, at, x";
    spark.sql(
        """
        CREATE TABLE lake.%s (id int, name string, price decimal(9,2), at date, x double)
        USING iceberg TBLPROPERTIES ('format-version'='%d', 'write.delete.mode'='%s',
        'write.update.mode'='%s', 'write.merge.mode'='%s')
        """
            .formatted(table, format, mode, mode, mode));
    assertThat(compare(table, all)).isEmpty();
    spark.sql("ALTER TABLE lake." + table + " WRITE ORDERED BY id");
    insert(table, VALUES, 0, 1000);
    assertThat(compare(table, all)).hasSize(1000);

    spark.sql("DELETE FROM lake." + table + " WHERE id % 10 = 3");
    assertThat(compare(table, all)).hasSize(900);
    spark.sql("UPDATE lake." + table + " SET price = price + 1, name = NULL WHERE id < 50");
    assertThat(compare(table, all)).hasSize(900);
    spark.sql(
        """
        MERGE INTO lake.%s t USING (SELECT %s FROM range(990, 1010)) s ON t.id = s.id
        WHEN MATCHED AND s.id %% 2 = 0 THEN DELETE
        WHEN MATCHED THEN UPDATE SET t.name = 'merged'
        WHEN NOT MATCHED THEN INSERT *
        """
            .formatted(table, VALUES));
    assertThat(compare(table, all)).hasSize(900 - 5 + 11);

    spark.sql("ALTER TABLE lake." + table + " ADD COLUMN note string");
    insert(table, VALUES + ", 'late' AS note", 2000, 2100);
    compare(table, all + ", note");
    spark.sql("ALTER TABLE lake." + table + " RENAME COLUMN name TO label");
    spark.sql("ALTER TABLE lake." + table + " ALTER COLUMN id TYPE bigint");
    insert(table, VALUES + ", NULL", 3000, 3100);
    String renamed = "id, label, price, at, x, note";
    assertThat(compare(table, renamed)).hasSize(906 + 200);
    spark.sql("ALTER TABLE lake." + table + " DROP COLUMN price");
    String rest = "id, label, at, x, note";
    compare(table, rest);

    spark.sql("ALTER TABLE lake." + table + " ADD PARTITION FIELD bucket(4, id)");
    spark.sql(
        "INSERT INTO lake."
            + table
            + " SELECT id, 'in a bucket', NULL, NULL, NULL FROM range(4000, 4050)");
    compare(table, rest);
    spark.sql(
        "ALTER TABLE lake." + table + " REPLACE PARTITION FIELD bucket(4, id) WITH months(at)");
    spark.sql(
        "INSERT INTO lake."
            + table
            + " SELECT id, 'in a month', DATE'2026-03-01', 0D, NULL FROM range(5000, 5050)");
    spark.sql("DELETE FROM lake." + table + " WHERE id BETWEEN 4040 AND 5009");
    assertThat(compare(table, rest)).hasSize(906 + 200 + 40 + 40);
    assertThat(compareWhere(table, "id, label", "id = 3007")).hasSize(1);
    assertThat(compareWhere(table, "id, label", "at = DATE '2026-03-01' AND id > 5020"))
        .hasSize(29);
    assertThat(compareWhere(table, "id, label", "label = 'merged' OR id IN (5, 4004)")).hasSize(6);

    spark.sql("ALTER TABLE lake." + table + " CREATE BRANCH side");
    spark.sql(
        "INSERT INTO lake."
            + table
            + ".branch_side SELECT id, 'aside', NULL, 1D, NULL FROM range(6000, 6010)");
    assertThat(compare(table, rest)).as("main is as it was").hasSize(906 + 200 + 40 + 40);
    for (String catalog : List.of("lake", "planned")) {
      assertThat(spark.sql("SELECT count(*) FROM " + catalog + "." + table + ".branch_side"))
          .containsExactly(String.valueOf(906 + 200 + 40 + 40 + 10));
    }
    spark.sql("CALL lake.system.fast_forward('" + table + "', 'main', 'side')");
    assertThat(compare(table, rest)).hasSize(906 + 200 + 40 + 40 + 10);
  }

  private static List<String> compareWhere(String table, String columns, String condition)
      throws IOException {
    String select =
        "SELECT " + columns + " FROM %s." + table + " WHERE " + condition + " ORDER BY " + columns;
    List<String> expected = same(spark.sql(select.formatted("lake")));
    assertThat(same(varve(select.formatted("lake")))).isEqualTo(expected);
    assertThat(same(spark.sql(select.formatted("planned")))).isEqualTo(expected);
    return expected;
  }

  @Test
  void sparkReadsOurSortedTablesAndOpensOnlyTheFilesOfOurPlan() throws Exception {
    varve("CREATE SCHEMA lake.ours");
    String columns = "l_orderkey, l_linenumber, l_quantity, l_shipdate, l_comment";
    varve(
        "CREATE TABLE lake.ours.lineitem ORDERED BY (l_orderkey) AS SELECT "
            + columns
            + " FROM tpch.tiny.lineitem WHERE l_orderkey < 10000");
    for (int from = 10_000; from < 60_000; from += 10_000) {
      varve(
          "INSERT INTO lake.ours.lineitem SELECT %s FROM tpch.tiny.lineitem WHERE l_orderkey >= %d AND l_orderkey < %d"
              .formatted(columns, from, from + 10_000));
    }
    assertThat(compare("ours.lineitem", columns)).hasSizeGreaterThan(50_000);
    Set<String> all = plan("{}");
    assertThat(all).hasSizeGreaterThan(4);

    String where = "l_orderkey BETWEEN 20500 AND 20700";
    Set<String> named =
        plan(
            """
            {"filter":{"type":"and",
             "left":{"type":"gt-eq","term":"l_orderkey","value":20500},
             "right":{"type":"lt-eq","term":"l_orderkey","value":20700}}}
            """);
    assertThat(named).hasSizeLessThan(all.size()).isNotEmpty();
    spark.say("our plan for " + where + " names " + named.size() + " of " + all.size() + " files");
    spark.opened();
    List<String> rows =
        same(
            spark.sql(
                "SELECT %s FROM planned.ours.lineitem WHERE %s ORDER BY l_orderkey, l_linenumber"
                    .formatted(columns, where)));
    Set<String> opened = new TreeSet<>(spark.opened());
    assertThat(opened).isEqualTo(named);
    assertThat(rows)
        .isNotEmpty()
        .isEqualTo(
            same(
                varve(
                    "SELECT %s FROM lake.ours.lineitem WHERE %s ORDER BY l_orderkey, l_linenumber"
                        .formatted(columns, where))));
  }

  /** The files that the catalog names for a scan of our table. */
  private static Set<String> plan(String request) throws Exception {
    URI uri = service.server().url().resolve("/iceberg/v1/namespaces/ours/tables/lineitem/plan");
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(uri)
                .header("Authorization", "Bearer " + service.server().token())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(request))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    Set<String> files = new TreeSet<>();
    for (JsonNode task : JSON.readTree(response.body()).get("file-scan-tasks")) {
      files.add(task.at("/data-file/file-path").asString());
    }
    return files;
  }

  @Test
  void sparkWritesIntoOurTableAndItStaysRight() throws IOException {
    varve("CREATE SCHEMA lake.mixed");
    varve(
        "CREATE TABLE lake.mixed.t ORDERED BY (k) AS SELECT o_orderkey AS k, o_comment AS note FROM tpch.tiny.orders");
    insert("mixed.t", "id AS k, 'by spark' AS note", 100, 200);
    compare("mixed.t", "k, note");
    varve("INSERT INTO lake.mixed.t SELECT 150, 'by varve'");
    compare("mixed.t", "k, note");
    assertThat(varve("SELECT k FROM lake.mixed.t ORDER BY k"))
        .isEqualTo(spark.sql("SELECT k FROM planned.mixed.t ORDER BY k"));
  }
}
