package dev.varve.engine.port;

import dev.varve.engine.memory.MemoryReservation;
import java.util.concurrent.Callable;

/** What the engine lends to a sink or a procedure while it runs for one query. */
public interface WorkContext {
  String queryId();

  /** Throws if the query has been ended. */
  void checkCanceled();

  /** Registers a memory consumer with the query's pool; the caller closes it. */
  MemoryReservation reserve(String consumer, boolean canSpill);

  /** Runs something that may wait without holding a core. */
  <T> T blocking(Callable<T> wait);

  /**
   * Runs {@code work} in a task of the query, in parallel with the caller. The caller must wait for
   * what it started before it returns, also on failure; a failing body is the caller's to notice
   * (catch, remember, rethrow).
   */
  void spawn(String name, Runnable work);

  /** Adds to a counter of the node that runs this, for EXPLAIN ANALYZE and progress. */
  void count(String metric, long amount);
}
