package dev.varve.service.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.varve.engine.port.Principal;
import dev.varve.engine.runtime.QueryState;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.query.SessionService.SessionRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class QueryServiceTest {
  private static final Principal ALICE = new Principal("alice", Set.of());
  private static final Principal BOB = new Principal("bob", Set.of());
  private static final ServiceConfiguration D = ServiceConfiguration.DEFAULTS;
  private static final ServiceConfiguration CONFIGURATION =
      new ServiceConfiguration(
          D.address(),
          0,
          ServiceConfiguration.OFF,
          ServiceConfiguration.OFF,
          D.tls(),
          List.of(),
          D.maxBodyBytes(),
          100,
          2,
          2,
          10_000,
          Duration.ofMillis(400),
          Duration.ofMillis(600),
          Duration.ofMillis(200),
          D.spillBytes(),
          D.storage(),
          D.database(),
          D.index(),
          D.settings());

  private final ScriptedEngine engine = new ScriptedEngine();
  @TempDir private Path folder;
  private QueryHistory history;
  private QueryService queries;

  @BeforeEach
  void start() {
    history = history(1 << 20);
    queries = new QueryService(CONFIGURATION, history, Clock.systemUTC());
  }

  private QueryHistory history(long fileBytes) {
    return new QueryHistory(folder, fileBytes, JsonMapper.builder().build());
  }

  private final SessionService sessions =
      new SessionService(engine, CONFIGURATION, Clock.systemUTC());

  @AfterEach
  void stop() {
    queries.close();
    history.close();
  }

  private void endWith(Principal user, String sql) throws Exception {
    ClientQuery query = submit(user, sql);
    query.fetch(0, 10, 1000, Duration.ofSeconds(5));
    query.awaitEnd(Duration.ofSeconds(5));
    await(() -> history.find(query.id()).filter(QueryRecord::hasEnded).isPresent());
  }

  private List<String> statements(Principal asker) {
    return queries.list(asker, query -> true, 100).stream().map(QueryRecord::sql).toList();
  }

  @Test
  void theListHasOwnQueriesLatestFirstAndAnAdministratorAll() throws Exception {
    endWith(ALICE, "ROWS 1");
    endWith(BOB, "ROWS 2");
    ClientQuery waiting = submit(ALICE, "WAIT");
    assertThat(statements(ALICE)).containsExactly("WAIT", "ROWS 1");
    assertThat(statements(BOB)).containsExactly("ROWS 2");
    assertThat(statements(new Principal("root", Set.of("admin"))))
        .containsExactly("WAIT", "ROWS 2", "ROWS 1");
    assertThat(queries.list(ALICE, query -> true, 1)).hasSize(1);
    assertThat(queries.list(ALICE, query -> query.state().equals("RUNNING"), 9))
        .extracting(QueryRecord::id)
        .containsExactly(waiting.id());
  }

  @Test
  void theHistorySurvivesARestartAndSaysWhichQueriesWereLost() throws Exception {
    endWith(ALICE, "ROWS 1");
    ClientQuery running = submit(ALICE, "WAIT");
    // The process is killed now: nothing more is written. Its last line is cut.
    Files.writeString(folder.resolve("queries.ndjson"), "{\"id\":\"cut", StandardOpenOption.APPEND);
    try (QueryHistory next = history(1 << 20)) {
      assertThat(next.latestFirst())
          .extracting(QueryRecord::sql, QueryRecord::state)
          .containsExactly(tuple("WAIT", QueryRecord.LOST), tuple("ROWS 1", "FINISHED"));
      next.put(running.record());
    }
    try (QueryHistory third = history(1 << 20)) {
      assertThat(third.latestFirst()).hasSize(2);
    }
  }

  @Test
  void aFullHistoryForgetsTheOldestAndNoneThatRuns() throws Exception {
    try (QueryHistory small = history(8000)) {
      QueryService own = new QueryService(CONFIGURATION, small, Clock.systemUTC());
      ClientQuery waiting =
          own.submit(sessions.open(ALICE, SessionRequest.DEFAULTS), ALICE, "WAIT", List.of());
      for (int i = 0; i < 30; i++) {
        ClientQuery query =
            own.submit(
                sessions.open(ALICE, SessionRequest.DEFAULTS), ALICE, "ROWS " + i, List.of());
        query.fetch(0, 100, 1000, Duration.ofSeconds(5));
        await(() -> small.find(query.id()).filter(QueryRecord::hasEnded).isPresent());
        await(() -> own.runningCount() < 2);
      }
      List<QueryRecord> kept = small.latestFirst();
      assertThat(kept).hasSizeBetween(5, 25);
      assertThat(kept.getFirst().sql()).isEqualTo("ROWS 29");
      assertThat(kept.getLast().id()).isEqualTo(waiting.id());
      assertThat(Files.size(folder.resolve("queries.ndjson"))).isLessThanOrEqualTo(8000);
      own.close();
    }
  }

  @Test
  void aKeySubmitsOnceAndForOneStatementOnly() {
    ClientQuery first =
        queries.submitOnce(
            "k", sessions.open(ALICE, SessionRequest.DEFAULTS), ALICE, "WAIT", List.of(1));
    assertThat(
            queries.submitOnce(
                "k", sessions.open(ALICE, SessionRequest.DEFAULTS), ALICE, "WAIT", List.of(1)))
        .isSameAs(first);
    assertThat(engine.statements).containsExactly("WAIT");
    assertThatThrownBy(
            () ->
                queries.submitOnce(
                    "k", sessions.open(ALICE, SessionRequest.DEFAULTS), ALICE, "WAIT", List.of(2)))
        .hasMessageContaining("was used for another statement");
    assertThat(
            queries.submitOnce(
                "k", sessions.open(BOB, SessionRequest.DEFAULTS), BOB, "WAIT", List.of()))
        .isNotSameAs(first);
    // A refused submission leaves its key free.
    assertThatThrownBy(
            () ->
                queries.submitOnce(
                    "l", sessions.open(BOB, SessionRequest.DEFAULTS), BOB, "WAIT", List.of()))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_QUERIES));
  }

  private ClientQuery submit(Principal user, String sql) {
    return queries.submit(sessions.open(user, SessionRequest.DEFAULTS), user, sql, List.of());
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(5);
    }
  }

  @Test
  void anAbandonedQueryIsCanceledAndForgotten() throws Exception {
    ClientQuery query = submit(ALICE, "WAIT");
    await(query::hasEnded);
    assertThat(query.state()).isEqualTo(QueryState.CANCELED);
    assertThat(query.failure().orElseThrow()).hasMessageContaining("nobody asked about it");
    Thread.sleep(1200);
    assertThatThrownBy(() -> queries.find(ALICE, query.id())).hasMessageContaining("no query");
  }

  @Test
  void unreadRowsStopTheQueryAndAbandonmentReleasesIt() throws Exception {
    ClientQuery query = submit(ALICE, "ROWS 1000000");
    ScriptedEngine.Handle handle = java.util.Objects.requireNonNull(engine.handles.get(query.id()));
    await(query::hasEnded);
    assertThat(handle.batchesGiven.get()).isLessThan(5);
    assertThat(handle.closed.await(5, TimeUnit.SECONDS)).isTrue();
    assertThat(query.retainedBytes()).isZero();
  }

  @Test
  void moreThanTheLimitAreRefusedUntilOneEnds() throws Exception {
    ClientQuery first = submit(ALICE, "WAIT");
    submit(ALICE, "WAIT");
    assertThatThrownBy(() -> submit(ALICE, "ROWS 1"))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_QUERIES));
    queries.cancel(ALICE, first.id());
    await(() -> queries.runningCount() < 2);
    assertThat(submit(ALICE, "ROWS 1").id()).isNotEmpty();
  }

  @Test
  void queriesOfOthersAreNotFound() {
    ClientQuery query = submit(ALICE, "WAIT");
    assertThatThrownBy(() -> queries.find(BOB, query.id())).hasMessageContaining("no query");
    assertThatThrownBy(() -> queries.cancel(BOB, query.id())).hasMessageContaining("no query");
    assertThat(queries.find(new Principal("root", Set.of("admin")), query.id())).isSameAs(query);
  }

  @Test
  void aLongStatementIsRefused() {
    assertThatThrownBy(() -> submit(ALICE, "SELECT " + "1".repeat(200)))
        .hasMessageContaining("207 characters; the limit is 100");
    assertThatThrownBy(() -> submit(ALICE, " \n ")).hasMessageContaining("empty");
  }

  @Test
  void stoppingCancelsWhatRunsAndRefusesMore() {
    ClientQuery query = submit(ALICE, "WAIT");
    queries.close();
    assertThat(query.hasEnded()).isTrue();
    assertThatThrownBy(() -> submit(ALICE, "ROWS 1"))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SHUTTING_DOWN));
  }

  @Test
  void settingsAndNamesOfASessionRequestAreQuoted() {
    sessions.open(
        ALICE,
        new SessionRequest("la\"ke", "s", Map.of("execution.batch_size", "1'; DROP TABLE t; --")));
    assertThat(engine.statements)
        .containsExactly(
            "SET execution.batch_size = '1''; DROP TABLE t; --'", "USE \"la\"\"ke\".\"s\"");
    assertThatThrownBy(
            () -> sessions.open(ALICE, new SessionRequest(null, null, Map.of("a; DROP b", "1"))))
        .hasMessageContaining("unknown setting");
  }

  @Test
  void sessionsBelongToTheirUserAndAreLimited() throws Exception {
    String id = sessions.create(ALICE, SessionRequest.DEFAULTS);
    sessions.create(ALICE, SessionRequest.DEFAULTS);
    assertThat(sessions.find(ALICE, id).principal()).isEqualTo(ALICE);
    assertThatThrownBy(() -> sessions.find(BOB, id)).hasMessageContaining("no such session");
    assertThatThrownBy(() -> sessions.create(ALICE, SessionRequest.DEFAULTS))
        .hasMessageContaining("2 sessions are open");
    Thread.sleep(300);
    assertThat(sessions.create(ALICE, SessionRequest.DEFAULTS)).isNotEqualTo(id);
  }
}
