package dev.varve.engine.runtime;

/**
 * One permit per core. A task of a query holds a permit while it computes, gives it back at budget
 * points and before it blocks; a free permit goes to the waiting query that has used least CPU.
 * Safe for concurrent use.
 */
public interface CoreGate {
  /**
   * Waits for a permit on behalf of {@code query}; not interruptible, since every holder gives back
   * soon.
   */
  void acquire(QueryContext query);

  /** Gives a permit back and charges the query for the time it was held. */
  void release(QueryContext query, long heldNanos);

  /** For tests and single tasks: never waits. */
  static CoreGate open() {
    return new CoreGate() {
      @Override
      public void acquire(QueryContext query) {}

      @Override
      public void release(QueryContext query, long heldNanos) {}
    };
  }
}
