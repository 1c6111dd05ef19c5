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
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Spark and Varve over one catalog. Runs under the profile "spark", which brings Spark's jars
 * ({@code varve.spark.jars}) and the packed service ({@code varve.jar}). What was said is left in
 * {@code target/spark-transcript-*.txt}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
abstract class SparkAndVarve {
  static final String VALUES =
      "cast(id AS int) AS id, concat('name ', id % 17) AS name, cast(id / 4 AS decimal(9,2)) AS price,"
          + " date_add(DATE'2026-01-01', cast(id % 40 AS int)) AS at,"
          + " CASE WHEN id % 5 = 0 THEN NULL WHEN id % 7 = 0 THEN double('NaN') ELSE id * 0.5D END AS x";

  private static final JsonMapper JSON = new JsonMapper();

  @TempDir static Path directory;

  private final String configuration;
  private final HttpClient http = HttpClient.newHttpClient();
  private ChildService service;
  private VarveClient varve;
  SparkProcess spark;

  /**
   * @param configuration of the service: lines of its varve.properties
   */
  SparkAndVarve(String configuration) {
    this.configuration = configuration;
  }

  @BeforeAll
  void start() throws Exception {
    Home home = new Home(directory.resolve("home")).create();
    Files.writeString(home.configuration(), configuration);
    service = ChildService.start(directory, home);
    varve = service.client();
    varve.openSession();
    spark =
        new SparkProcess(
            directory,
            Path.of(System.getProperty("varve.spark.jars")).toAbsolutePath(),
            service.server().url().resolve("/iceberg"),
            service.server().token());
    spark.sql("CREATE NAMESPACE lake.shop");
  }

  @AfterAll
  void stop() throws Exception {
    if (spark != null) {
      String name = "spark-transcript-" + getClass().getSimpleName() + ".txt";
      Files.write(Path.of("target", name), spark.transcript());
      spark.close();
    }
    http.close();
    varve.close();
    service.close();
  }

  /** Runs a statement in Varve; its rows as {@link #same} compares them. */
  List<String> varve(String sql) throws IOException {
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
  List<String> same(List<String> rows) {
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

  String number(String value) {
    try {
      return new BigDecimal(value).stripTrailingZeros().toPlainString();
    } catch (NumberFormatException e) {
      return value;
    }
  }

  /** The table's rows are the same to Spark by both ways of planning and to Varve. */
  List<String> compare(String table, String columns) throws IOException {
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

  void insert(String table, String columns, int from, int to) throws IOException {
    spark.sql(
        "INSERT INTO lake.%s SELECT %s FROM range(%d, %d)".formatted(table, columns, from, to));
  }

  List<String> compareWhere(String table, String columns, String condition) throws IOException {
    String select =
        "SELECT " + columns + " FROM %s." + table + " WHERE " + condition + " ORDER BY " + columns;
    List<String> expected = same(spark.sql(select.formatted("lake")));
    assertThat(same(varve(select.formatted("lake")))).isEqualTo(expected);
    assertThat(same(spark.sql(select.formatted("planned")))).isEqualTo(expected);
    return expected;
  }

  /** The files that the catalog names for a scan of a table: {@code namespace/tables/name}. */
  Set<String> plan(String table, String request) throws Exception {
    URI uri = service.server().url().resolve("/iceberg/v1/namespaces/" + table + "/plan");
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(request)));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    Set<String> files = new TreeSet<>();
    for (JsonNode task : JSON.readTree(response.body()).get("file-scan-tasks")) {
      files.add(task.at("/data-file/file-path").asString());
    }
    return files;
  }

  /** How many plans the catalog has made from one source: index or manifests. */
  double plans(String source) throws Exception {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(
                    service
                        .server()
                        .url()
                        .resolve("/actuator/metrics/varve.iceberg.scan.plans?tag=source:" + source))
                .GET());
    return response.statusCode() == 404
        ? 0
        : JSON.readTree(response.body()).at("/measurements/0/value").asDouble();
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(
        request.header("Authorization", "Bearer " + service.server().token()).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
