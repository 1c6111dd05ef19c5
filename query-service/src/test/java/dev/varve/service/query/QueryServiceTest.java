package dev.varve.service.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.port.Principal;
import dev.varve.engine.runtime.QueryState;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.query.SessionService.SessionRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QueryServiceTest {
  private static final Principal ALICE = new Principal("alice", Set.of());
  private static final Principal BOB = new Principal("bob", Set.of());
  private static final ServiceConfiguration D = ServiceConfiguration.DEFAULTS;
  private static final ServiceConfiguration CONFIGURATION =
      new ServiceConfiguration(
          D.address(),
          0,
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
          D.settings());

  private final ScriptedEngine engine = new ScriptedEngine();
  private final QueryService queries = new QueryService(CONFIGURATION, Clock.systemUTC());
  private final SessionService sessions =
      new SessionService(engine, CONFIGURATION, Clock.systemUTC());

  @AfterEach
  void stop() {
    queries.close();
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
