package dev.varve.service.client;

import dev.varve.service.client.ResultPage.ResultColumn;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One session on a service, over REST. Confined to one thread, but for {@link #cancel}. */
public final class VarveClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final URI base;
  private final @Nullable String authorization;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();
  private final JsonMapper json =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  private @Nullable String session;

  private VarveClient(URI base, @Nullable String authorization) {
    this.base = base;
    this.authorization = authorization;
  }

  public static VarveClient withToken(URI base, String token) {
    return new VarveClient(base, "Bearer " + token);
  }

  public static VarveClient withPassword(URI base, String user, String password) {
    String both = user + ":" + password;
    return new VarveClient(
        base, "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
  }

  /** For a service that lets its own machine in. */
  public static VarveClient withoutLogin(URI base) {
    return new VarveClient(base, null);
  }

  public URI base() {
    return base;
  }

  /** Opens the session that the statements after it share. */
  public void openSession() {
    session = send("POST", "/api/v1/sessions", Map.of()).get("id").asString();
  }

  /** Starts a statement; answers its id. */
  public String submit(String sql) {
    return send("POST", "/api/v1/queries", Map.of("sql", sql)).get("id").asString();
  }

  /** A page; waits a while for rows. */
  public ResultPage fetch(String id, long token, int maxRows, int waitMillis) {
    JsonNode page =
        send(
            "GET",
            "/api/v1/queries/"
                + id
                + "/results?token="
                + token
                + "&maxRows="
                + maxRows
                + "&waitMillis="
                + waitMillis,
            null);
    List<ResultColumn> columns = null;
    if (page.has("columns")) {
      columns = new ArrayList<>();
      for (JsonNode column : page.get("columns")) {
        columns.add(new ResultColumn(column.get("name").asString(), column.get("type").asString()));
      }
    }
    List<JsonNode> rows = new ArrayList<>();
    page.get("rows").forEach(rows::add);
    return new ResultPage(
        page.get("state").asString(),
        page.has("statement") ? page.get("statement").asString() : null,
        columns,
        rows,
        page.get("progress"),
        page.has("nextToken") ? page.get("nextToken").asLong() : -1);
  }

  /** The query's state, with its plan and figures. */
  public JsonNode status(String id) {
    return send("GET", "/api/v1/queries/" + id, null);
  }

  /** From any thread. */
  public void cancel(String id) {
    send("DELETE", "/api/v1/queries/" + id, null);
  }

  private JsonNode send(String method, String path, @Nullable Object body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(TIMEOUT)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body)));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    String held = session;
    if (held != null) {
      request.header("Varve-Session", held);
    }
    HttpResponse<String> response;
    try {
      response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new ServerError(
          ServerError.UNREACHABLE,
          "no answer from " + base + " (" + e.getClass().getSimpleName() + ")",
          0,
          0,
          "is the service running?");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerError(ServerError.UNREACHABLE, "interrupted", 0, 0, null);
    }
    JsonNode answer = parse(response);
    if (response.statusCode() >= 400) {
      throw error(response.statusCode(), answer);
    }
    return answer;
  }

  private JsonNode parse(HttpResponse<String> response) {
    try {
      return response.body().isEmpty() ? json.createObjectNode() : json.readTree(response.body());
    } catch (JacksonException e) {
      throw new ServerError(
          ServerError.UNREACHABLE,
          base + " answers, but not as a Varve service (status " + response.statusCode() + ")",
          0,
          0,
          null);
    }
  }

  private static ServerError error(int status, JsonNode problem) {
    return new ServerError(
        problem.path("code").asString("HTTP_" + status),
        problem.path("detail").asString("HTTP status " + status),
        problem.path("line").asInt(0),
        problem.path("column").asInt(0),
        problem.has("hint") ? problem.get("hint").asString() : null);
  }

  /** Closes the session, if the service still answers. */
  @Override
  public void close() {
    String held = session;
    if (held != null) {
      session = null;
      try {
        send("DELETE", "/api/v1/sessions/" + held, null);
      } catch (ServerError e) {
        // The service closes it after a while.
      }
    }
    http.close();
  }
}
