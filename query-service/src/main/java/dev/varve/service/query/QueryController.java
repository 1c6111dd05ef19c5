package dev.varve.service.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.varve.engine.QueryProgress;
import dev.varve.engine.Session;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.Principal;
import dev.varve.engine.type.Field;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.query.SessionService.SessionRequest;
import dev.varve.service.security.Principals;
import dev.varve.service.web.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** Submit a statement, ask how it does, fetch its rows page by page, cancel it. */
@RestController
@RequestMapping("/api/v1/queries")
final class QueryController {
  static final String SESSION_HEADER = "Varve-Session";
  private static final int MAX_WAIT_MILLIS = 30_000;
  private static final int MAX_ROWS = 100_000;
  private static final long PAGE_BYTES = 4L << 20;

  record QueryRequest(
      @Nullable String sql,
      @Nullable List<@Nullable Object> parameters,
      @Nullable SessionRequest session) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record QueryStatus(
      String id,
      String state,
      @Nullable String statement,
      String sql,
      String user,
      Instant submittedAt,
      @Nullable Instant endedAt,
      QueryProgress progress,
      @Nullable Problem error,
      @Nullable String plan,
      String resultsUri) {}

  private final QueryService queries;
  private final SessionService sessions;
  private final JsonMapper json;

  QueryController(QueryService queries, SessionService sessions, JsonMapper json) {
    this.queries = queries;
    this.sessions = sessions;
    this.json = json;
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<QueryStatus> submit(
      @RequestBody QueryRequest request,
      @RequestHeader(name = SESSION_HEADER, required = false) @Nullable String sessionId,
      Authentication authentication) {
    String sql = request.sql();
    if (sql == null) {
      throw new VarveException(ErrorCode.INVALID_PARAMETER, "the member \"sql\" is missing");
    }
    SessionRequest wanted = request.session();
    if (sessionId != null && wanted != null) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "a request has either the header " + SESSION_HEADER + " or the member \"session\"");
    }
    Principal principal = Principals.of(authentication);
    Session session =
        sessionId != null
            ? sessions.find(principal, sessionId)
            : sessions.open(principal, wanted == null ? SessionRequest.DEFAULTS : wanted);
    ClientQuery query =
        queries.submit(session, principal, sql, Parameters.read(request.parameters()));
    return ResponseEntity.created(URI.create(uri(query.id()))).body(status(query, false));
  }

  @GetMapping("/{id}")
  QueryStatus status(@PathVariable String id, Authentication authentication) {
    return status(queries.find(Principals.of(authentication), id), true);
  }

  /**
   * @param token of the page wanted, from the page before; the first is 0
   * @param waitMillis how long to wait for rows before answering without any
   */
  @GetMapping("/{id}/results")
  void results(
      @PathVariable String id,
      @RequestParam(defaultValue = "0") long token,
      @RequestParam(defaultValue = "10000") int maxRows,
      @RequestParam(defaultValue = "1000") int waitMillis,
      Authentication authentication,
      HttpServletResponse response)
      throws IOException, InterruptedException {
    if (maxRows < 1 || maxRows > MAX_ROWS || waitMillis < 0 || waitMillis > MAX_WAIT_MILLIS) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "maxRows is from 1 to " + MAX_ROWS + ", waitMillis from 0 to " + MAX_WAIT_MILLIS);
    }
    ClientQuery query = queries.find(Principals.of(authentication), id);
    ResultBuffer.Page page = query.fetch(token, maxRows, PAGE_BYTES, Duration.ofMillis(waitMillis));
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    try (JsonGenerator out = json.createGenerator(response.getOutputStream())) {
      write(out, query, page);
    }
  }

  @DeleteMapping("/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cancel(@PathVariable String id, Authentication authentication) {
    queries.cancel(Principals.of(authentication), id);
  }

  private void write(JsonGenerator out, ClientQuery query, ResultBuffer.Page page) {
    out.writeStartObject();
    out.writeStringProperty("id", query.id());
    out.writeStringProperty("state", query.state().name());
    query.statementTag().ifPresent(tag -> out.writeStringProperty("statement", tag));
    out.writePOJOProperty("progress", query.progress());
    if (page.schema() != null) {
      out.writeArrayPropertyStart("columns");
      for (Field field : page.schema().fields()) {
        out.writeStartObject();
        out.writeStringProperty("name", field.name());
        out.writeStringProperty("type", field.type().toString());
        out.writeEndObject();
      }
      out.writeEndArray();
    }
    out.writeArrayPropertyStart("rows");
    for (Batch batch : page.batches()) {
      JsonValues.writeRows(out, batch);
    }
    out.writeEndArray();
    if (page.next() >= 0) {
      out.writeNumberProperty("nextToken", page.next());
      out.writeStringProperty("nextUri", uri(query.id()) + "/results?token=" + page.next());
    }
    out.writeEndObject();
  }

  private static QueryStatus status(ClientQuery query, boolean withPlan) {
    return new QueryStatus(
        query.id(),
        query.state().name(),
        query.statementTag().orElse(null),
        query.sql(),
        query.owner().name(),
        query.submittedAt(),
        query.endedAt().orElse(null),
        query.progress(),
        query.failure().map(Problem::of).orElse(null),
        withPlan ? query.planText().orElse(null) : null,
        uri(query.id()) + "/results");
  }

  private static String uri(String id) {
    return "/api/v1/queries/" + id;
  }
}
