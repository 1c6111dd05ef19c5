package dev.varve.engine.runtime;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.spill.SpillScope;
import dev.varve.engine.spill.SpillSpace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Everything one execution of a statement shares: identity, settings, memory, cancellation, and the
 * scope that closes whatever the query opened. Safe for concurrent use.
 */
public final class QueryContext implements AutoCloseable {
  private final String queryId;
  private final Settings settings;
  private final EvalContext eval;
  private final MemoryPool memory;
  private final CoreGate gate;
  private final SpillScope spill;
  private final Cancellation cancellation = new Cancellation();
  private final AtomicLong cpuNanos = new AtomicLong();
  private final AtomicInteger openStreams = new AtomicInteger();
  private final Map<Object, Object> shared = new IdentityHashMap<>();
  private final Deque<AutoCloseable> scope = new ArrayDeque<>();
  private boolean closed;

  /** A query that must fit into memory. */
  public QueryContext(
      String queryId, Settings settings, EvalContext eval, MemoryPool memory, CoreGate gate) {
    this(queryId, settings, eval, memory, gate, SpillSpace.none());
  }

  public QueryContext(
      String queryId,
      Settings settings,
      EvalContext eval,
      MemoryPool memory,
      CoreGate gate,
      SpillSpace space) {
    this.queryId = queryId;
    this.settings = settings;
    this.eval = eval;
    this.memory = memory;
    this.gate = gate;
    this.spill = space.ofQuery(queryId, settings.get(EngineSettings.QUERY_SPILL_LIMIT));
    closeAtEnd(spill);
  }

  public String queryId() {
    return queryId;
  }

  public Settings settings() {
    return settings;
  }

  public EvalContext eval() {
    return eval;
  }

  public MemoryPool memory() {
    return memory;
  }

  public CoreGate gate() {
    return gate;
  }

  /** Where operators put what does not fit into memory. */
  public SpillScope spill() {
    return spill;
  }

  public Cancellation cancellation() {
    return cancellation;
  }

  /** CPU time of the query's tasks so far: what the core gate is fair by. */
  public AtomicLong cpuNanos() {
    return cpuNanos;
  }

  /** Streams that operators have opened and not closed: 0 once a query has ended. */
  public AtomicInteger openStreams() {
    return openStreams;
  }

  /**
   * What the partitions of one plan node share in this execution: made by the first that asks. The
   * owner is known by identity.
   */
  public <T> T shared(Object owner, Class<T> kind, Supplier<T> create) {
    synchronized (shared) {
      Object state = shared.get(owner);
      if (state == null) {
        state = create.get();
        shared.put(owner, state);
      }
      return kind.cast(state);
    }
  }

  /**
   * Closes {@code resource} at the query's end, in reverse order of registration; at once if the
   * query has ended.
   */
  public void closeAtEnd(AutoCloseable resource) {
    synchronized (scope) {
      if (!closed) {
        scope.push(resource);
        return;
      }
    }
    closeQuietly(resource);
  }

  @Override
  public void close() {
    while (true) {
      AutoCloseable next;
      synchronized (scope) {
        closed = true;
        if (scope.isEmpty()) {
          return;
        }
        next = scope.pop();
      }
      closeQuietly(next);
    }
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      org.slf4j.LoggerFactory.getLogger(QueryContext.class).warn("closing {} failed", resource, e);
    }
  }
}
