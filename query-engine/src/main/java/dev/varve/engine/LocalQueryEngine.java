package dev.varve.engine;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.connector.QueryRegistry;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.port.Principal;
import dev.varve.engine.runtime.Cancellation;
import dev.varve.engine.runtime.CoreGate;
import dev.varve.engine.spill.SpillSpace;
import dev.varve.engine.statement.Description;
import dev.varve.engine.statement.SessionState;
import dev.varve.engine.statement.StatementPlanner;
import dev.varve.engine.statement.StatementRequest;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.upkeep.SnapshotPins;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine in this process. {@link EngineBuilder} makes it. */
final class LocalQueryEngine implements QueryEngine {
  private static final Logger LOG = LoggerFactory.getLogger(LocalQueryEngine.class);

  private final StatementPlanner planner;
  private final QueryRegistry registry;
  private final MemoryPool pool;
  private final CoreGate gate;
  private final SpillSpace spill;
  private final SessionState initial;
  private final Clock clock;
  private final String idPrefix;
  private final AtomicLong lastId = new AtomicLong();
  private final Set<RunningQuery> running = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("query-timer").factory());
  private volatile boolean closing;

  LocalQueryEngine(
      StatementPlanner planner,
      QueryRegistry registry,
      MemoryPool pool,
      CoreGate gate,
      SpillSpace spill,
      SessionState initial,
      Clock clock) {
    this.planner = planner;
    this.registry = registry;
    this.pool = pool;
    this.gate = gate;
    this.spill = spill;
    this.initial = initial;
    this.clock = clock;
    this.idPrefix = Long.toString(clock.millis(), 36) + "-";
  }

  StatementPlanner planner() {
    return planner;
  }

  QueryRegistry registry() {
    return registry;
  }

  CoreGate gate() {
    return gate;
  }

  SpillSpace spill() {
    return spill;
  }

  long nowMicros() {
    Instant now = clock.instant();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }

  /** A query's own part of the pool: its limit is the setting, where that is lower. */
  MemoryPool queryPool(String queryId, Settings settings) {
    return MemoryPools.ofQuery(queryId, settings.get(EngineSettings.QUERY_MEMORY_LIMIT), pool);
  }

  ScheduledFuture<?> after(long millis, Runnable action) {
    return timer.schedule(action, millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public Session openSession(Principal principal) {
    return new LocalSession(this, principal, initial);
  }

  QueryHandle submit(
      String sql,
      Principal principal,
      SessionState session,
      List<@Nullable Object> parameters,
      boolean prepared,
      Consumer<SessionState> sessionChanged) {
    refuseWhenClosing();
    String id = idPrefix + lastId.incrementAndGet();
    RunningQuery query =
        new RunningQuery(
            new RunningQuery.Start(
                id, sql, principal, session, parameters, prepared, sessionChanged),
            this);
    running.add(query);
    query.begin();
    return query;
  }

  private void refuseWhenClosing() {
    if (closing) {
      throw new VarveException(ErrorCode.SHUTTING_DOWN, "the engine is shutting down");
    }
  }

  /** Parses and checks a statement on a planning thread, and waits for it. */
  Description describe(String sql, Principal principal, SessionState session) {
    refuseWhenClosing();
    Cancellation cancellation = new Cancellation();
    List<SnapshotPins.Pin> held = new ArrayList<>();
    long timeoutMillis = session.settings().get(EngineSettings.STATEMENT_TIMEOUT);
    ScheduledFuture<?> timeout =
        timeoutMillis == 0
            ? null
            : after(timeoutMillis, () -> cancellation.cancel(RunningQuery.timedOut(timeoutMillis)));
    try {
      return PlanningThread.call(
          "prepare",
          () ->
              planner.describe(
                  new StatementRequest(
                      sql,
                      principal,
                      session,
                      List.of(),
                      true,
                      evalContext(nowMicros(), principal, session),
                      cancellation,
                      held::add)));
    } finally {
      held.forEach(SnapshotPins.Pin::close);
      if (timeout != null) {
        timeout.cancel(false);
      }
    }
  }

  EvalContext evalContext(long micros, Principal principal, SessionState session) {
    return new EvalContext(
        micros,
        session.settings().get(EngineSettings.TIME_ZONE),
        principal.name(),
        session.catalog(),
        session.schema());
  }

  /** A query has released everything: what it still holds of the pool is a leak. */
  void closed(RunningQuery query, MemoryPool memory) {
    running.remove(query);
    if (memory.reserved() != 0) {
      LOG.error(
          "query {} ended with {} bytes reserved: {}",
          query.id(),
          memory.reserved(),
          memory.report());
    }
  }

  @Override
  public void close() {
    closing = true;
    running.forEach(RunningQuery::cancel);
    running.forEach(RunningQuery::close);
    timer.shutdownNow();
    spill.close();
  }
}
