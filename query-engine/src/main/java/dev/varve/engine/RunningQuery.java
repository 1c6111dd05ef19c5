package dev.varve.engine;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.connector.QueryRegistry;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.operator.PlanExecution;
import dev.varve.engine.plan.OptimizedPlan;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanPrinter;
import dev.varve.engine.port.Principal;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.QueryState;
import dev.varve.engine.statement.Explanations;
import dev.varve.engine.statement.Prepared;
import dev.varve.engine.statement.SessionState;
import dev.varve.engine.statement.StatementRequest;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One statement from text to its last batch. A thread of its own parses and plans it and starts its
 * tasks; the client's thread fetches. Safe for concurrent use, but for {@link #nextBatch}.
 */
final class RunningQuery implements QueryHandle {
  private static final Logger LOG = LoggerFactory.getLogger(RunningQuery.class);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** What a query is started with. */
  record Start(
      String id,
      String sql,
      Principal principal,
      SessionState session,
      List<@Nullable Object> parameters,
      boolean prepared,
      Consumer<SessionState> sessionChanged) {}

  private final Start start;
  private final LocalQueryEngine engine;
  private final QueryContext context;
  private final MemoryPool memory;
  private final long submittedNanos = System.nanoTime();
  private final long submittedMicros;
  private final CompletableFuture<Schema> schema = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> driven = new CompletableFuture<>();
  private volatile QueryState state = QueryState.QUEUED;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable String tag;
  private volatile @Nullable OptimizedPlan plan;
  private volatile @Nullable PlanExecution execution;
  private volatile @Nullable Batch answer;
  private volatile long planningNanos;
  private volatile long planningCpuNanos;
  private volatile long executionStartNanos;
  private volatile long endedNanos;
  private volatile long rowsProduced;
  private volatile @Nullable ScheduledFuture<?> timeout;
  private boolean closed;

  RunningQuery(Start start, LocalQueryEngine engine) {
    this.start = start;
    this.engine = engine;
    this.submittedMicros = engine.nowMicros();
    Settings settings = start.session().settings();
    this.memory = engine.queryPool(start.id(), settings);
    EvalContext eval = engine.evalContext(submittedMicros, start.principal(), start.session());
    this.context =
        new QueryContext(start.id(), settings, eval, memory, engine.gate(), engine.spill());
  }

  /** Starts the statement. */
  void begin() {
    engine.registry().started(start.id(), this::entry);
    Settings settings = start.session().settings();
    long timeoutMillis = settings.get(EngineSettings.STATEMENT_TIMEOUT);
    if (timeoutMillis > 0) {
      timeout =
          engine.after(timeoutMillis, () -> context.cancellation().cancel(timedOut(timeoutMillis)));
    }
    PlanningThread.start("query-" + start.id(), this::drive);
  }

  static VarveException timedOut(long timeoutMillis) {
    return new VarveException(
        ErrorCode.QUERY_TIMEOUT,
        "the statement ran longer than statement_timeout, " + timeoutMillis + " ms");
  }

  private void drive() {
    try {
      moveTo(QueryState.PLANNING);
      long planningStart = System.nanoTime();
      long cpuStart = THREADS.getCurrentThreadCpuTime();
      Prepared prepared;
      try {
        prepared =
            engine
                .planner()
                .prepare(
                    new StatementRequest(
                        start.sql(),
                        start.principal(),
                        start.session(),
                        start.parameters(),
                        start.prepared(),
                        context.eval(),
                        context.cancellation(),
                        context::closeAtEnd));
      } finally {
        planningNanos = System.nanoTime() - planningStart;
        planningCpuNanos = THREADS.getCurrentThreadCpuTime() - cpuStart;
      }
      context.cancellation().check();
      tag = prepared.tag();
      executionStartNanos = System.nanoTime();
      switch (prepared) {
        case Prepared.Answer done -> {
          answer = done.rows();
          done.session().ifPresent(start.sessionChanged());
        }
        case Prepared.Run run -> {
          plan = run.plan();
          moveTo(QueryState.RUNNING);
          execution = PlanExecution.start(run.plan().plan(), context);
        }
        case Prepared.Analyze analyze -> {
          plan = analyze.plan();
          moveTo(QueryState.RUNNING);
          try (PlanExecution inner = PlanExecution.start(analyze.plan().plan(), context)) {
            while (inner.nextBatch() != null) {
              context.cancellation().check();
            }
          }
          answer = Explanations.analyzed(analyze.plan(), analyze.verbose());
        }
      }
      schema.complete(prepared.schema());
      if (execution == null) {
        moveTo(QueryState.RUNNING);
      }
    } catch (Throwable e) {
      fail(e);
    } finally {
      driven.complete(null);
    }
  }

  private synchronized void moveTo(QueryState next) {
    if (!state.isFinal()) {
      state = next;
      if (next.isFinal()) {
        endedNanos = System.nanoTime();
        ScheduledFuture<?> pending = timeout;
        if (pending != null) {
          pending.cancel(false);
        }
        engine.registry().ended(entry());
      }
    }
  }

  private void fail(Throwable cause) {
    Throwable first = context.cancellation().cause();
    Throwable reason = first != null ? first : cause;
    failure = reason;
    context.cancellation().cancel(reason);
    boolean canceled =
        reason instanceof VarveException known && known.code() == ErrorCode.QUERY_CANCELED;
    if (!(reason instanceof VarveException)) {
      LOG.error("query {} failed by a fault of ours", start.id(), reason);
    }
    moveTo(canceled ? QueryState.CANCELED : QueryState.FAILED);
    schema.completeExceptionally(reason);
  }

  @Override
  public String id() {
    return start.id();
  }

  @Override
  public String sql() {
    return start.sql();
  }

  @Override
  public QueryState state() {
    return state;
  }

  @Override
  public Optional<String> statementTag() {
    return Optional.ofNullable(tag);
  }

  @Override
  public Schema schema() {
    try {
      return schema.get();
    } catch (ExecutionException e) {
      throw asVarve(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new VarveException(ErrorCode.QUERY_CANCELED, "interrupted while waiting", e);
    }
  }

  @Override
  public @Nullable Batch nextBatch() {
    Schema output = schema();
    Throwable failed = failure;
    if (failed != null) {
      throw asVarve(failed);
    }
    Batch ready = answer;
    PlanExecution running = execution;
    try {
      if (running == null) {
        answer = null;
        if (ready != null && ready.rowCount() > 0) {
          rowsProduced += ready.rowCount();
          return ready.withSchema(output);
        }
        moveTo(QueryState.FINISHED);
        return null;
      }
      Batch batch = running.nextBatch();
      if (batch == null) {
        moveTo(QueryState.FINISHED);
        return null;
      }
      rowsProduced += batch.rowCount();
      return batch.withSchema(output);
    } catch (RuntimeException | Error e) {
      fail(e);
      Throwable reason = failure;
      throw asVarve(reason == null ? e : reason);
    }
  }

  private static VarveException asVarve(Throwable cause) {
    return cause instanceof VarveException known
        ? known
        : new VarveException(
            ErrorCode.INTERNAL_ERROR, "internal error: " + cause + "; please report it", cause);
  }

  @Override
  public QueryProgress progress() {
    long now = endedNanos == 0 ? System.nanoTime() : endedNanos;
    long executing = executionStartNanos == 0 ? 0 : now - executionStartNanos;
    long queued =
        state == QueryState.QUEUED
            ? now - submittedNanos
            : Math.max(0, now - submittedNanos - planningNanos - executing);
    LeafFigures figures = new LeafFigures();
    OptimizedPlan current = plan;
    if (current != null) {
      figures.add(current.plan());
    }
    return new QueryProgress(
        TimeUnit.NANOSECONDS.toMillis(queued),
        TimeUnit.NANOSECONDS.toMillis(planningNanos),
        TimeUnit.NANOSECONDS.toMicros(planningCpuNanos),
        TimeUnit.NANOSECONDS.toMillis(executing),
        figures.sum("output_rows"),
        figures.rowsExpected,
        figures.sum("bytes_read"),
        figures.sum("files_total"),
        figures.sum("files_pruned"),
        figures.sum("row_groups_total"),
        figures.sum("row_groups_pruned_statistics") + figures.sum("row_groups_pruned_bloom"),
        figures.sum("pages_total"),
        figures.sum("pages_pruned"),
        rowsProduced,
        memory.reserved(),
        memory.peak());
  }

  /** The counters of a plan's leaves, added up. */
  private static final class LeafFigures {
    private final HashMap<String, Long> sums = new HashMap<>();
    private long rowsExpected;

    void add(PhysicalPlan node) {
      if (node.children().isEmpty()) {
        for (Map.Entry<String, Long> metric : node.metrics().snapshot().entrySet()) {
          sums.merge(metric.getKey(), metric.getValue(), Long::sum);
        }
        rowsExpected += node.statistics().rowCount().known().orElse(0L);
      }
      node.children().forEach(this::add);
    }

    long sum(String name) {
      return sums.getOrDefault(name, 0L);
    }
  }

  private QueryRegistry.Entry entry() {
    QueryProgress progress = progress();
    Throwable failed = failure;
    return new QueryRegistry.Entry(
        start.id(),
        start.principal().name(),
        state.name(),
        start.sql(),
        submittedMicros,
        progress.queuedMillis(),
        progress.planningMillis(),
        progress.executionMillis(),
        progress.rowsProduced(),
        progress.bytesRead(),
        progress.memoryPeakBytes(),
        failed == null
            ? ""
            : failed instanceof VarveException known ? known.describe() : failed.toString());
  }

  @Override
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public Optional<String> planText() {
    return Optional.ofNullable(plan).map(p -> PlanPrinter.analyzed(p.plan()));
  }

  @Override
  public void cancel() {
    context.cancellation().cancelByUser();
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    if (!state.isFinal()) {
      cancel();
    }
    driven.join();
    PlanExecution running = execution;
    if (running != null) {
      running.close();
    }
    if (!state.isFinal()) {
      Throwable reason = context.cancellation().cause();
      fail(reason == null ? new IllegalStateException("closed without a cause") : reason);
    }
    context.close();
    engine.closed(this, memory);
  }
}
