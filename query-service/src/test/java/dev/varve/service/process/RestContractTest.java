package dev.varve.service.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.service.home.ServiceConfiguration;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The REST interface over a real server, with an engine that does what its statements say. */
@Timeout(60)
class RestContractTest {
  private static final ServiceConfiguration CONFIGURATION = ServiceConfiguration.DEFAULTS;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir static Path directory;
  private static ScriptedService service;
  private static String base;
  private static String token;
  private static String password;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @BeforeAll
  static void start() {
    service = new ScriptedService(directory.resolve("home"), CONFIGURATION, false);
    base = service.url().toString();
    token = "Bearer " + service.token();
    password = service.createAdministrator();
  }

  @AfterAll
  static void stop() {
    service.close();
    HTTP.close();
  }

  private record Answer(int status, String contentType, JsonNode body, HttpResponse<String> raw) {}

  private static Answer send(String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
    request.method(
        method,
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      HttpResponse<String> answer =
          HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(
          answer.statusCode(),
          answer.headers().firstValue("Content-Type").orElse(""),
          answer.body().isEmpty() ? JSON.createObjectNode() : JSON.readTree(answer.body()),
          answer);
    } catch (Exception e) {
      throw new IllegalStateException(method + " " + path, e);
    }
  }

  private static Answer get(String path) {
    return send("GET", path, null, "Authorization", token);
  }

  private static Answer post(String path, String body, String... more) {
    String[] headers =
        java.util.stream.Stream.concat(
                java.util.stream.Stream.of(
                    "Authorization", token, "Content-Type", "application/json"),
                java.util.stream.Stream.of(more))
            .toArray(String[]::new);
    return send("POST", path, body, headers);
  }

  private static String submit(String sql) {
    Answer answer = post("/api/v1/queries", JSON.writeValueAsString(Map.of("sql", sql)));
    assertThat(answer.status()).isEqualTo(201);
    return answer.body().get("id").asString();
  }

  private static void assertProblem(Answer answer, int status, String code) {
    assertThat(answer.status()).as(answer.raw().body()).isEqualTo(status);
    assertThat(answer.contentType()).startsWith("application/problem+json");
    assertThat(answer.body().get("code").asString()).isEqualTo(code);
    assertThat(answer.body().get("status").asInt()).isEqualTo(status);
    assertThat(answer.body().get("title").asString()).isNotBlank();
    assertThat(answer.body().get("detail").asString()).isNotBlank();
    assertThat(answer.raw().body()).doesNotContain("at dev.varve").doesNotContain("\\tat ");
  }

  @Test
  void aResultIsFetchedPageByPage() {
    Answer created = post("/api/v1/queries", "{\"sql\":\"ROWS 2500\"}");
    assertThat(created.raw().headers().firstValue("Location").orElseThrow())
        .isEqualTo("/api/v1/queries/" + created.body().get("id").asString());
    String next = created.body().get("resultsUri").asString() + "?token=0";
    long rows = 0;
    int pages = 0;
    while (next != null) {
      Answer page = get(next + "&maxRows=900");
      assertThat(page.status()).isEqualTo(200);
      for (JsonNode row : page.body().get("rows")) {
        assertThat(row.get(0).asLong()).isEqualTo(rows++);
      }
      pages++;
      next = page.body().has("nextUri") ? page.body().get("nextUri").asString() : null;
      assertThat(page.body().get("columns").get(0).get("type").asString()).isEqualTo("bigint");
    }
    assertThat(rows).isEqualTo(2500);
    assertThat(pages).isGreaterThanOrEqualTo(3);
    Answer status = get("/api/v1/queries/" + created.body().get("id").asString());
    assertThat(status.body().get("state").asString()).isEqualTo("FINISHED");
    assertThat(status.body().get("statement").asString()).isEqualTo("SELECT");
    assertThat(status.body().get("plan").asString()).isEqualTo("ScriptedExec: ROWS 2500");
    assertThat(status.body().get("progress").get("rowsProduced").asLong()).isEqualTo(2500);
  }

  private static HttpResponse<String> whole(String id, String accept) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(base + "/api/v1/queries/" + id + "/results"))
            .header("Authorization", token)
            .header("Accept", accept)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aWholeResultIsSentAsCsvAndAsLinesOfJson() throws Exception {
    HttpResponse<String> csv = whole(submit("ROWS 25000"), "text/csv");
    assertThat(csv.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/csv");
    assertThat(csv.headers().firstValue("Content-Disposition").orElseThrow()).contains(".csv\"");
    List<String> lines = csv.body().lines().toList();
    assertThat(lines).hasSize(25_001);
    assertThat(lines).startsWith("n", "0", "1").endsWith("24999");
    HttpResponse<String> json =
        whole(submit("ROWS 2500"), "text/plain;q=0.5, application/x-ndjson;q=0.4");
    assertThat(json.body().lines()).hasSize(2500).startsWith("{\"n\":0}").endsWith("{\"n\":2499}");
    HttpResponse<String> quoted =
        whole(
            post("/api/v1/queries", "{\"sql\":\"ECHO\",\"parameters\":[\"a,\\\"b\",null,\"\"]}")
                .body()
                .get("id")
                .asString(),
            "text/csv");
    assertThat(quoted.body()).isEqualTo("value\r\n\"String a,\"\"b\"\r\n\r\nString \r\n");
    assertThat(whole(submit("ROWS 1"), "*/*").headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/json");
  }

  @Test
  void aWholeResultThatFailsIsAProblemOrABrokenConnectionNeverAPart() throws Exception {
    HttpResponse<String> failed = whole(submit("FAIL"), "text/csv");
    assertThat(failed.statusCode()).isEqualTo(400);
    assertThat(failed.body()).contains("UNDEFINED_COLUMN");
    assertThat(whole(submit("ROWS 1"), "image/png").statusCode()).isEqualTo(406);
    assertThatThrownBy(() -> whole(submit("ROWS 3000000 THEN FAIL"), "text/csv"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void queriesAreListedByUserStateTimeAndText() {
    String id = submit("WAIT listed");
    String user = get("/api/v1/queries/" + id).body().get("user").asString();
    JsonNode found = get("/api/v1/queries?text=LISTED&state=running&user=" + user).body();
    assertThat(found.get("queries")).as(found.toString()).hasSize(1);
    JsonNode query = found.get("queries").get(0);
    assertThat(query.get("id").asString()).isEqualTo(id);
    assertThat(query.get("times").get("planning").asLong()).isEqualTo(1);
    String at = query.get("submittedAt").asString();
    assertThat(get("/api/v1/queries?text=listed&since=" + at).body().get("queries")).hasSize(1);
    assertThat(get("/api/v1/queries?text=listed&until=" + at).body().get("queries")).isEmpty();
    assertThat(get("/api/v1/queries?text=listed&user=x").body().get("queries")).isEmpty();
    assertThat(get("/api/v1/queries?limit=1").body().get("queries")).hasSize(1);
    assertProblem(get("/api/v1/queries?limit=0"), 400, "INVALID_PARAMETER");
    assertProblem(get("/api/v1/queries?state=odd"), 400, "INVALID_PARAMETER");
    assertProblem(get("/api/v1/queries?since=yesterday"), 400, "BAD_REQUEST");
  }

  @Test
  void eventsTellHowAQueryDoesUntilItsEnd() throws Exception {
    String id = submit("WAIT events");
    HttpResponse<Stream<String>> events =
        HTTP.send(
            HttpRequest.newBuilder(
                    URI.create(base + "/api/v1/queries/" + id + "/events?intervalMillis=50"))
                .header("Authorization", token)
                .build(),
            HttpResponse.BodyHandlers.ofLines());
    assertThat(events.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/event-stream");
    List<String> lines = new ArrayList<>();
    events
        .body()
        .forEach(
            line -> {
              lines.add(line);
              if (line.equals("event:status")) {
                send("DELETE", "/api/v1/queries/" + id, null, "Authorization", token);
              }
            });
    assertThat(lines).contains("event:status", "event:end");
    assertThat(lines.stream().filter(line -> line.startsWith("data:")).toList().getLast())
        .contains("\"state\":\"CANCELED\"", "QUERY_CANCELED");
    assertProblem(
        get("/api/v1/queries/" + id + "/events?intervalMillis=1"), 400, "INVALID_PARAMETER");
    assertProblem(get("/api/v1/queries/none/events"), 404, "NOT_FOUND");
  }

  @Test
  void aRequestSentAgainUnderItsKeyIsTheSameQuery() {
    Answer first = post("/api/v1/queries", "{\"sql\":\"ROWS 7\"}", "Idempotency-Key", "k1");
    Answer again = post("/api/v1/queries", "{\"sql\":\"ROWS 7\"}", "Idempotency-Key", "k1");
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.body().get("id")).isEqualTo(first.body().get("id"));
    assertProblem(
        post("/api/v1/queries", "{\"sql\":\"ROWS 8\"}", "Idempotency-Key", "k1"),
        400,
        "INVALID_PARAMETER");
  }

  @Test
  void parametersKeepTheirTypes() {
    Answer created =
        post(
            "/api/v1/queries",
            """
            {"sql": "ECHO", "parameters": [1, 5000000000, 1.50, true, "a", null,
              {"type": "date", "value": "2026-11-30"}, {"type": "bigint", "value": 7}]}
            """);
    Answer page = get(created.body().get("resultsUri").asString());
    assertThat(page.body().get("rows").toString())
        .isEqualTo(
            "[[\"Integer 1\"],[\"Long 5000000000\"],[\"BigDecimal 1.50\"],[\"Boolean true\"],"
                + "[\"String a\"],[null],[\"LocalDate 2026-11-30\"],[\"Long 7\"]]");
  }

  @Test
  void aFailureTellsCodeStatePositionAndHint() {
    String id = submit("FAIL");
    Answer failed = get("/api/v1/queries/" + id + "/results?waitMillis=10000");
    assertProblem(failed, 400, "UNDEFINED_COLUMN");
    assertThat(failed.body().get("sqlState").asString()).isEqualTo("42703");
    assertThat(failed.body().get("line").asInt()).isEqualTo(2);
    assertThat(failed.body().get("column").asInt()).isEqualTo(5);
    assertThat(failed.body().get("hint").asString()).isEqualTo("did you mean 'y'?");
    Answer status = get("/api/v1/queries/" + id);
    assertThat(status.body().get("state").asString()).isEqualTo("FAILED");
    assertThat(status.body().get("error").get("column").asInt()).isEqualTo(5);
  }

  @Test
  void aBugIsToldInOneLine() {
    String id = submit("BUG");
    Answer failed = get("/api/v1/queries/" + id + "/results?waitMillis=10000");
    assertProblem(failed, 500, "INTERNAL_ERROR");
    assertThat(failed.body().get("detail").asString()).doesNotContain("\n");
  }

  @Test
  void aCanceledQuerySaysSo() {
    String id = submit("WAIT");
    assertThat(
            get("/api/v1/queries/" + id + "/results?waitMillis=10").body().get("state").asString())
        .isEqualTo("RUNNING");
    assertThat(send("DELETE", "/api/v1/queries/" + id, null, "Authorization", token).status())
        .isEqualTo(204);
    assertProblem(get("/api/v1/queries/" + id + "/results"), 409, "QUERY_CANCELED");
  }

  @Test
  void aSessionIsUsedByItsHeader() {
    String id = post("/api/v1/sessions", "{}").body().get("id").asString();
    assertThat(get("/api/v1/sessions/" + id).body().get("catalog").asString()).isEqualTo("lake");
    assertThat(post("/api/v1/queries", "{\"sql\":\"ROWS 1\"}", "Varve-Session", id).status())
        .isEqualTo(201);
    assertProblem(
        post("/api/v1/queries", "{\"sql\":\"ROWS 1\",\"session\":{}}", "Varve-Session", id),
        400,
        "INVALID_PARAMETER");
    assertThat(send("DELETE", "/api/v1/sessions/" + id, null, "Authorization", token).status())
        .isEqualTo(204);
    assertProblem(
        post("/api/v1/queries", "{\"sql\":\"ROWS 1\"}", "Varve-Session", id), 404, "NOT_FOUND");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"sql": 1.5.2}                              | 400 | BAD_REQUEST
          {"sql": "ROWS 1", "sqll": 1}                | 400 | BAD_REQUEST
          {"sql": 1}                                  | 400 | BAD_REQUEST
          {"sql": true}                               | 400 | BAD_REQUEST
          {}                                          | 400 | INVALID_PARAMETER
          {"sql": ""}                                 | 400 | INVALID_PARAMETER
          {"sql": "ECHO", "parameters": [[1]]}        | 400 | INVALID_PARAMETER
          {"sql": "ECHO", "parameters": [{"type": "date", "value": "x"}]} | 400 | INVALID_PARAMETER
          []                                          | 400 | BAD_REQUEST
          """)
  void malformedRequestsAreRefused(String body, int status, String code) {
    assertProblem(post("/api/v1/queries", body), status, code);
  }

  @Test
  void aMemberOfTheWrongTypeIsNamedWithItsPlaceAndWithoutOurClasses() {
    String detail =
        post("/api/v1/queries", "{\"sql\":\"ROWS 1\",\n \"session\":{\"schema\":[1]}}")
            .body()
            .get("detail")
            .asString();
    assertThat(detail)
        .contains("the member \"session.schema\" has a value of another type", "line 2")
        .doesNotContain("java", "dev.varve");
  }

  @Test
  void refusalsSayWhatWasWrongAndWhatIsTaken() {
    assertThat(post("/api/v1/queries", "{\"sqll\":\"ROWS 1\"}").body().get("detail").asString())
        .contains("there is no member \"sqll\", line 1");
    assertThat(
            send("PUT", "/api/v1/queries", "{}", "Authorization", token)
                .body()
                .get("detail")
                .asString())
        .isEqualTo("PUT is not supported at /api/v1/queries");
    assertThat(
            send(
                    "POST",
                    "/api/v1/queries",
                    "sql=1",
                    "Authorization",
                    token,
                    "Content-Type",
                    "text/plain")
                .body()
                .get("detail")
                .asString())
        .contains("text/plain", "Content-Type: application/json");
  }

  @Test
  void wrongRoutesMethodsAndTypesAreProblems() {
    assertProblem(get("/no/such/route"), 404, "NOT_FOUND");
    assertProblem(get("/api/v1/queries/none"), 404, "NOT_FOUND");
    assertProblem(
        send("PUT", "/api/v1/queries", "{}", "Authorization", token), 405, "METHOD_NOT_ALLOWED");
    assertProblem(
        send(
            "POST",
            "/api/v1/queries",
            "sql=1",
            "Authorization",
            token,
            "Content-Type",
            "text/plain"),
        415,
        "UNSUPPORTED_MEDIA_TYPE");
    String id = submit("ROWS 1");
    assertProblem(get("/api/v1/queries/" + id + "/results?token=x"), 400, "BAD_REQUEST");
    assertProblem(get("/api/v1/queries/" + id + "/results?token=9"), 404, "NOT_FOUND");
    assertProblem(get("/api/v1/queries/" + id + "/results?maxRows=0"), 400, "INVALID_PARAMETER");
  }

  @Test
  void tooLargeABodyIsRefusedWithAndWithoutALength() {
    String large = "{\"sql\":\"" + "x".repeat((int) CONFIGURATION.maxBodyBytes()) + "\"}";
    assertProblem(post("/api/v1/queries", large), 413, "CONTENT_TOO_LARGE");
    HttpRequest chunked =
        HttpRequest.newBuilder(URI.create(base + "/api/v1/queries"))
            .header("Authorization", token)
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofByteArrays(
                    List.of(large.getBytes(StandardCharsets.UTF_8))))
            .build();
    try {
      HttpResponse<String> answer = HTTP.send(chunked, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(413);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    String sql = "x".repeat(CONFIGURATION.maxSqlLength() + 1);
    assertProblem(
        post("/api/v1/queries", JSON.writeValueAsString(Map.of("sql", sql))),
        400,
        "INVALID_PARAMETER");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/queries",
        "/api/v1/queries/x",
        "/api/v1/queries/x/results",
        "/api/v1/queries/x/events",
        "/api/v1/sessions",
        "/api/v1/tokens",
        "/actuator",
        "/actuator/env",
        "/no/such/route"
      })
  void withoutALoginNothingIsTold(String path) {
    Answer answer = send("GET", path, null);
    assertProblem(answer, 401, "UNAUTHORIZED");
    assertThat(answer.raw().headers().allValues("WWW-Authenticate")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer varve_00",
        "Bearer ",
        "Basic",
        "Basic !!!",
        "Basic YWRtaW4=",
        "Basic YWRtaW46d3Jvbmc=",
        "Digest x"
      })
  void wrongCredentialsAreRefused(String header) {
    assertProblem(
        send("GET", "/api/v1/tokens", null, "Authorization", header), 401, "UNAUTHORIZED");
    assertProblem(
        send("GET", "/actuator/health", null, "Authorization", header), 401, "UNAUTHORIZED");
  }

  @Test
  void theIcebergInterfaceNeedsTheSameLoginAndAnswersInItsOwnForm() {
    Answer answer = send("GET", "/iceberg/v1/config", null);
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.body().get("error").get("code").asInt()).isEqualTo(401);
    assertThat(answer.body().get("error").get("type").asString())
        .isEqualTo("NotAuthorizedException");
  }

  @Test
  void theTokenEndpointOfTheIcebergInterfaceSaysHowToLogInInstead() {
    Answer answer = send("POST", "/iceberg/v1/oauth/tokens", "grant_type=client_credentials");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body().get("error").asString()).isEqualTo("unsupported_grant_type");
    assertThat(answer.body().get("error_description").asString()).contains("rest.auth.type=basic");
  }

  @Test
  void nameAndPasswordAndTokensLogIn() {
    String basic =
        "Basic "
            + Base64.getEncoder()
                .encodeToString(("admin:" + password).getBytes(StandardCharsets.UTF_8));
    Answer created =
        send(
            "POST",
            "/api/v1/tokens",
            "{\"name\":\"ci\",\"days\":1}",
            "Authorization",
            basic,
            "Content-Type",
            "application/json");
    assertThat(created.status()).isEqualTo(201);
    String bearer = "Bearer " + created.body().get("token").asString();
    Answer list = send("GET", "/api/v1/tokens", null, "Authorization", bearer);
    assertThat(list.status()).isEqualTo(200);
    assertThat(list.raw().body()).contains("\"ci\"").doesNotContain("varve_");
    String id = created.body().get("id").asString();
    assertThat(send("DELETE", "/api/v1/tokens/" + id, null, "Authorization", bearer).status())
        .isEqualTo(204);
    assertProblem(
        send("GET", "/api/v1/tokens", null, "Authorization", bearer), 401, "UNAUTHORIZED");
  }

  @Test
  void pagesOfOtherSitesAreRefused() {
    assertProblem(
        send(
            "POST",
            "/api/v1/queries",
            "{\"sql\":\"ROWS 1\"}",
            "Authorization",
            token,
            "Content-Type",
            "application/json",
            "Origin",
            "https://evil.example"),
        403,
        "FORBIDDEN");
    assertThat(send("GET", "/api/v1/tokens", null, "Authorization", token, "Origin", base).status())
        .isEqualTo(200);
  }

  @Test
  void aNameThatOnlyResolvesToThisMachineIsRefused() throws Exception {
    URI uri = URI.create(base);
    try (Socket socket = new Socket("127.0.0.1", uri.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("GET /actuator/health HTTP/1.1\r\nHost: evil.example:"
                  + uri.getPort()
                  + "\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 403").contains("problem+json");
    }
  }

  @Test
  void healthIsOpenAndAnswersAreNotToBeSniffedFramedOrCached() {
    Answer health = send("GET", "/actuator/health/liveness", null);
    assertThat(health.status()).isEqualTo(200);
    assertThat(health.body().get("status").asString()).isEqualTo("UP");
    assertThat(health.raw().headers().map())
        .containsEntry("X-Content-Type-Options", List.of("nosniff"))
        .containsEntry("X-Frame-Options", List.of("DENY"))
        .containsKey("Cache-Control")
        .containsKey("Content-Security-Policy");
    assertThat(health.raw().headers().map()).doesNotContainKeys("Set-Cookie", "Server");
  }

  @Test
  void aDemoIsOpenToItsOwnMachineButNotToWrongCredentials() throws Exception {
    try (ScriptedService demo =
        new ScriptedService(directory.resolve("demo"), CONFIGURATION, true)) {
      URI uri = URI.create(demo.url() + "/api/v1/tokens");
      assertThat(
              HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(200);
      assertThat(
              HTTP.send(
                      HttpRequest.newBuilder(uri).header("Authorization", "Bearer x").build(),
                      HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(401);
    }
  }
}
