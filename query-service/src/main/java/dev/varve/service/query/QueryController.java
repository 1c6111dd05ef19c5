package dev.varve.service.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.varve.engine.QueryProgress;
import dev.varve.engine.Session;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.Principal;
import dev.varve.engine.runtime.QueryState;
import dev.varve.engine.type.Field;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.query.SessionService.SessionRequest;
import dev.varve.service.security.Principals;
import dev.varve.service.web.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.Authentication;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
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
  static final String KEY_HEADER = "Idempotency-Key";
  private static final int MAX_WAIT_MILLIS = 30_000;
  private static final int MAX_ROWS = 100_000;
  private static final int MAX_LISTED = 1000;
  static final long PAGE_BYTES = 4L << 20;

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
      Times times,
      QueryProgress progress,
      @Nullable Problem error,
      @Nullable String plan,
      @Nullable String resultsUri) {

    /**
     * @param plan as EXPLAIN ANALYZE prints it
     * @param resultsUri none for a query that only the history knows
     */
    static QueryStatus of(QueryRecord query, @Nullable String plan, @Nullable String resultsUri) {
      return new QueryStatus(
          query.id(),
          query.state(),
          query.statement(),
          query.sql(),
          query.user(),
          query.submittedAt(),
          query.endedAt(),
          Times.of(query),
          query.progress(),
          query.error(),
          plan,
          resultsUri);
    }
  }

  /**
   * Where the time went, in milliseconds.
   *
   * @param fetching the query stood still because its client had not fetched
   */
  record Times(long queued, long planning, long executing, long fetching) {
    static Times of(QueryRecord query) {
      QueryProgress progress = query.progress();
      return new Times(
          progress.queuedMillis(),
          progress.planningMillis(),
          Math.max(0, progress.executionMillis() - query.fetchingMillis()),
          query.fetchingMillis());
    }
  }

  record QueryList(List<QueryStatus> queries) {}

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
      @RequestHeader(name = KEY_HEADER, required = false) @Nullable String key,
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
    List<@Nullable Object> parameters = Parameters.read(request.parameters());
    ClientQuery query =
        key == null
            ? queries.submit(session, principal, sql, parameters)
            : queries.submitOnce(key, session, principal, sql, parameters);
    return ResponseEntity.created(URI.create(uri(query.id()))).body(status(query, false));
  }

  /**
   * The queries of this node that the asker may see, the latest first, those of earlier starts
   * included.
   *
   * @param text a part of the statement's text, in any case
   * @param since submitted then or later
   * @param until submitted before
   */
  @GetMapping
  QueryList list(
      @RequestParam(required = false) @Nullable String user,
      @RequestParam(required = false) @Nullable String state,
      @RequestParam(required = false) @Nullable String text,
      @RequestParam(required = false) @Nullable Instant since,
      @RequestParam(required = false) @Nullable Instant until,
      @RequestParam(defaultValue = "100") int limit,
      Authentication authentication) {
    if (limit < 1 || limit > MAX_LISTED) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "limit is from 1 to " + MAX_LISTED + ", not " + limit);
    }
    Predicate<QueryRecord> wanted = stateIs(state);
    if (user != null) {
      wanted = wanted.and(query -> query.user().equals(user));
    }
    if (text != null) {
      String part = text.toLowerCase(Locale.ROOT);
      wanted = wanted.and(query -> query.sql().toLowerCase(Locale.ROOT).contains(part));
    }
    if (since != null) {
      wanted = wanted.and(query -> !query.submittedAt().isBefore(since));
    }
    if (until != null) {
      wanted = wanted.and(query -> query.submittedAt().isBefore(until));
    }
    return new QueryList(
        queries.list(Principals.of(authentication), wanted, limit).stream()
            .map(query -> QueryStatus.of(query, null, null))
            .toList());
  }

  private static Predicate<QueryRecord> stateIs(@Nullable String state) {
    if (state == null) {
      return query -> true;
    }
    String name = state.toUpperCase(Locale.ROOT);
    List<String> known =
        Stream.concat(
                Arrays.stream(QueryState.values()).map(Enum::name), Stream.of(QueryRecord.LOST))
            .toList();
    if (!known.contains(name)) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "state is one of " + known + ", not '" + state + "'");
    }
    return query -> query.state().equals(name);
  }

  @GetMapping("/{id}")
  QueryStatus status(@PathVariable String id, Authentication authentication) {
    Principal asker = Principals.of(authentication);
    return queries
        .past(asker, id)
        .map(query -> QueryStatus.of(query, null, null))
        .orElseGet(() -> status(queries.find(asker, id), true));
  }

  /**
   * @param accept JSON in pages, or CSV or NDJSON with all rows from the token on
   * @param token of the page wanted, from the page before; the first is 0
   * @param waitMillis how long to wait for rows before answering without any
   */
  @GetMapping("/{id}/results")
  void results(
      @PathVariable String id,
      @RequestHeader(name = HttpHeaders.ACCEPT, defaultValue = "*/*") String accept,
      @RequestParam(defaultValue = "0") long token,
      @RequestParam(defaultValue = "10000") int maxRows,
      @RequestParam(defaultValue = "1000") int waitMillis,
      Authentication authentication,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException, InterruptedException, HttpMediaTypeNotAcceptableException {
    if (maxRows < 1 || maxRows > MAX_ROWS || waitMillis < 0 || waitMillis > MAX_WAIT_MILLIS) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "maxRows is from 1 to " + MAX_ROWS + ", waitMillis from 0 to " + MAX_WAIT_MILLIS);
    }
    Optional<ResultFormat> format = ResultFormat.accepted(accept);
    ClientQuery query = queries.find(Principals.of(authentication), id);
    if (format.isPresent()) {
      WholeResult.send(query, token, format.get(), json, request, response);
      return;
    }
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
    return QueryStatus.of(
        query.record(),
        withPlan ? query.planText().orElse(null) : null,
        uri(query.id()) + "/results");
  }

  private static String uri(String id) {
    return "/api/v1/queries/" + id;
  }
}
