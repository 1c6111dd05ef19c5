package dev.varve.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.service.client.ResultPage;
import dev.varve.service.client.ServerError;
import dev.varve.service.client.VarveClient;
import dev.varve.service.home.Home;
import dev.varve.service.home.RunningServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A warehouse in S3: the service and the store are processes of their own. */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class S3Test {
  private static final String SECRET = "do-not-tell-this-secret";

  @TempDir static Path directory;

  private static S3Server store;
  private static Relay relay;
  private static Home home;
  private static ChildService service;

  @BeforeAll
  static void start() throws Exception {
    store = S3Server.start(directory);
    relay = new Relay(store.port());
    home = new Home(directory.resolve("home"));
    Files.createDirectories(home.root());
    Path properties = Files.createFile(home.configuration());
    Files.setPosixFilePermissions(properties, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        properties,
        """
        warehouse = s3://lake/warehouse
        files.roots = s3://lake/exports
        s3.endpoint = http://127.0.0.1:%d
        s3.path-style = true
        s3.access-key-id = someone
        s3.secret-access-key = %s
        """
            .formatted(relay.port(), SECRET));
    service = ChildService.start(directory, home);
    run("CREATE TABLE t (k bigint, v varchar) ORDERED BY (k)");
    run("INSERT INTO t SELECT o_orderkey, o_comment FROM tpch.sf0_01.orders");
  }

  @AfterAll
  static void stop() throws Exception {
    if (service != null) {
      service.close();
    }
    if (relay != null) {
      relay.close();
    }
    if (store != null) {
      store.close();
    }
  }

  private static List<List<String>> run(String sql) {
    try (VarveClient client = service.client()) {
      String id = client.submit(sql);
      List<List<String>> rows = new ArrayList<>();
      for (long token = 0; token >= 0; ) {
        ResultPage page = client.fetch(id, token, 10_000, 1000);
        for (JsonNode row : page.rows()) {
          List<String> cells = new ArrayList<>();
          row.forEach(cell -> cells.add(cell.asString()));
          rows.add(cells);
        }
        token = page.nextToken();
      }
      return rows;
    }
  }

  private static String one(String sql) {
    return run(sql).getFirst().getFirst();
  }

  @Test
  @Order(1)
  void tablesAreWrittenReadCompactedAndThereAfterARestart() throws Exception {
    String sums = "SELECT count(*), sum(k) FROM t";
    List<List<String>> before = run(sums);
    assertThat(before.getFirst().getFirst()).isEqualTo("15000");
    for (int i = 0; i < 3; i++) {
      run("INSERT INTO t VALUES (" + i + ", 'small'), (" + (100 + i) + ", 'small')");
    }
    assertThat(one("SELECT count(*) FROM t WHERE v = 'small'")).isEqualTo("6");
    List<List<String>> all = run(sums);
    assertThat(run("CALL system.compact('t')").getFirst().getFirst()).isEqualTo("4");
    assertThat(run(sums)).isEqualTo(all);
    service.terminate();
    service.awaitExit();
    service = ChildService.start(directory, home);
    assertThat(run(sums)).isEqualTo(all);
    run("CREATE VIEW vt AS SELECT k FROM t WHERE v = 'small'");
    assertThat(one("SELECT count(*) FROM vt")).isEqualTo("6");
  }

  @Test
  @Order(2)
  void aQueryReadsRangesAndNotPages() {
    run("CREATE TABLE pages WITH (page_rows = 500) AS SELECT * FROM tpch.sf0_01.lineitem");
    relay.forget();
    assertThat(one("SELECT count(DISTINCT l_comment) FROM pages WHERE l_quantity > 0"))
        .isNotEqualTo("0");
    long reads =
        relay.requests().stream()
            .filter(r -> r.startsWith("GET") && r.contains(".parquet"))
            .count();
    // Two columns of 60,175 rows in pages of 500 are 242 pages.
    assertThat(reads).isBetween(1L, 12L);
  }

  @Test
  @Order(3)
  void filesAreCopiedToAndReadFromABucket() {
    run("COPY t TO 's3://lake/exports/t'");
    run("COPY (SELECT 1 AS a) TO 's3://lake/exports/one.parquet'");
    assertThat(one("SELECT count(*) FROM 's3://lake/exports/t/*.parquet'"))
        .isEqualTo(one("SELECT count(*) FROM t"));
    assertThat(one("SELECT a FROM 's3://lake/exports/one.parquet'")).isEqualTo("1");
    assertThatThrownBy(() -> run("COPY (SELECT 2 AS a) TO 's3://lake/exports/one.parquet'"))
        .hasMessageContaining("exists");
    run("COPY (SELECT 2 AS a) TO 's3://lake/exports/one.parquet' WITH (overwrite = true)");
    // The footer of before is not taken for that of the new version.
    assertThat(one("SELECT a FROM 's3://lake/exports/one.parquet'")).isEqualTo("2");
    run("COPY (SELECT 3 AS k) TO 's3://lake/exports/t' WITH (overwrite = true)");
    assertThat(one("SELECT sum(k) FROM 's3://lake/exports/t/*.parquet'")).isEqualTo("3");
    run("COPY (SELECT l.* FROM tpch.sf0_1.lineitem l) TO 's3://lake/exports/large.parquet'");
    assertThat(relay.requests()).anyMatch(r -> r.contains("uploadId="));
    assertThat(one("SELECT count(*) FROM 's3://lake/exports/large.parquet'")).isEqualTo("600572");
  }

  @Test
  @Order(4)
  void otherBucketsAndPrefixesAreRefused() {
    for (String place :
        List.of(
            "s3://lake/exports-evil/x.parquet",
            "s3://lake/x.parquet",
            "s3://other/exports/x.parquet",
            "s3://lake/exports/../x.parquet",
            "s3://lake/exports/%2e%2e/x.parquet")) {
      assertThatThrownBy(() -> run("COPY (SELECT 1 AS a) TO '" + place + "'"))
          .as(place)
          .isInstanceOfSatisfying(
              ServerError.class, e -> assertThat(e.code()).isEqualTo("INSUFFICIENT_PRIVILEGE"));
      assertThatThrownBy(() -> run("SELECT * FROM '" + place + "'"))
          .isInstanceOfSatisfying(
              ServerError.class, e -> assertThat(e.code()).isEqualTo("INSUFFICIENT_PRIVILEGE"));
    }
    assertThatThrownBy(() -> run("COPY (SELECT 1 AS a) TO 's3://lake/warehouse/x.parquet'"))
        .hasMessageContaining("the service's own");
  }

  @Test
  @Order(5)
  void aStoreThatGoesAwayWhileReadingIsAnErrorAndNothingElse() {
    relay.cutAt(request -> request.startsWith("GET") && request.contains(".parquet"));
    assertThatThrownBy(() -> run("SELECT count(DISTINCT l_partkey), max(l_comment) FROM pages"))
        .isInstanceOfSatisfying(
            ServerError.class,
            e -> {
              assertThat(e.code()).isEqualTo("IO_ERROR");
              assertThat(e)
                  .hasMessageContaining("S3 does not answer")
                  .hasMessageContaining("s3://");
            });
    assertThat(relay.isCut()).isTrue();
    relay.mend();
    assertThat(one("SELECT count(*) FROM pages WHERE l_partkey > 0")).isEqualTo("60175");
  }

  @Test
  @Order(6)
  void aStoreThatGoesAwayWhileWritingLosesNothing() {
    String before = one("SELECT count(*) FROM t");
    relay.cutAt(request -> request.startsWith("PUT") && request.contains("/data/"));
    assertThatThrownBy(() -> run("INSERT INTO t VALUES (1, 'lost')"))
        .isInstanceOfSatisfying(ServerError.class, e -> assertThat(e.code()).isEqualTo("IO_ERROR"));
    assertThat(relay.isCut()).isTrue();
    relay.mend();
    assertThat(one("SELECT count(*) FROM t")).isEqualTo(before);
    run("INSERT INTO t VALUES (1, 'kept')");
    assertThat(one("SELECT count(*) FROM t WHERE v IN ('kept', 'lost')")).isEqualTo("1");
  }

  @Test
  @Order(7)
  void partsOfAnUploadThatFailsAreGivenUp() {
    relay.forget();
    relay.cutAt(request -> request.contains("partNumber=2"));
    assertThatThrownBy(
            () ->
                run("COPY (SELECT * FROM tpch.sf0_1.lineitem) TO 's3://lake/exports/half.parquet'"))
        .isInstanceOfSatisfying(ServerError.class, e -> assertThat(e.code()).isEqualTo("IO_ERROR"));
    relay.mend();
    assertThatThrownBy(() -> run("SELECT * FROM 's3://lake/exports/half.parquet'"))
        .isInstanceOfSatisfying(
            ServerError.class, e -> assertThat(e.code()).isEqualTo("FILE_NOT_FOUND"));
    // A statement that fails by itself gives up what it uploaded, while the store is there.
    relay.forget();
    assertThatThrownBy(
            () ->
                run(
                    "COPY (SELECT l.*, 1 / (l_orderkey - 599972) AS boom FROM tpch.sf0_1.lineitem l)"
                        + " TO 's3://lake/exports/half.parquet' WITH (row_group_rows = 20000)"))
        .isInstanceOf(ServerError.class);
    assertThat(relay.requests()).anyMatch(r -> r.startsWith("DELETE") && r.contains("uploadId="));
    assertThatThrownBy(() -> run("SELECT * FROM 's3://lake/exports/half.parquet'"))
        .isInstanceOfSatisfying(
            ServerError.class, e -> assertThat(e.code()).isEqualTo("FILE_NOT_FOUND"));
  }

  @Test
  @Order(8)
  void aStoreThatGoesAwayWhileCommittingLeavesTheTableAsItWas() {
    String before = one("SELECT count(*) FROM t");
    relay.cutAt(request -> request.startsWith("PUT") && request.contains("metadata.json"));
    assertThatThrownBy(() -> run("INSERT INTO t VALUES (2, 'lost')"))
        .isInstanceOfSatisfying(ServerError.class, e -> assertThat(e.code()).isEqualTo("IO_ERROR"));
    assertThat(relay.isCut()).isTrue();
    relay.mend();
    assertThat(one("SELECT count(*) FROM t")).isEqualTo(before);
    run("INSERT INTO t VALUES (2, 'kept')");
    assertThat(one("SELECT count(*) FROM t"))
        .isEqualTo(Integer.toString(Integer.parseInt(before) + 1));
  }

  @Test
  @Order(9)
  void secretsAreInNoAnswerNoLogAndNoMetadata() throws Exception {
    RunningServer server = service.server();
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (String path : List.of("/v1/config", "/v1/namespaces/default/tables/t")) {
        HttpResponse<String> answer =
            http.send(
                HttpRequest.newBuilder(URI.create(server.url() + "/iceberg" + path))
                    .header("Authorization", "Bearer " + server.token())
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).doesNotContain(SECRET).doesNotContain("someone");
      }
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.equals(home.configuration())) {
          assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
              .as(file.toString())
              .doesNotContain(SECRET);
        }
      }
    }
    assertThat(service.output() + service.errorOutput()).doesNotContain(SECRET);
    assertThat(run("SHOW ALL").toString()).doesNotContain(SECRET);
  }
}
