package dev.varve.engine.memory;

/** The kinds of pools. */
public final class MemoryPools {
  private MemoryPools() {}

  /** Counts and never refuses. */
  public static MemoryPool unbounded() {
    return new AccountedPool("unbounded pool", Long.MAX_VALUE, AccountedPool.Policy.GREEDY, null);
  }

  /** First come, first served. */
  public static MemoryPool greedy(long limitBytes) {
    return new AccountedPool("pool", limitBytes, AccountedPool.Policy.GREEDY, null);
  }

  /**
   * Consumers that can spill get equal shares of what the others leave; the pool as a whole keeps
   * its limit.
   */
  public static MemoryPool fairSpill(long limitBytes) {
    return new AccountedPool("pool", limitBytes, AccountedPool.Policy.FAIR, null);
  }

  /**
   * A query's part of the node's pool, with a limit of its own; what it reserves is reserved there.
   * Within it is fair, and a quarter (at most 64 MB) is set aside so that each of some consumers
   * that can spill finds enough to go on with; they leave a quarter of it more to those that
   * cannot. A limit of 0 is the node's.
   */
  public static MemoryPool ofQuery(String queryId, long limitBytes, MemoryPool node) {
    long limit = limitBytes == 0 ? node.limit() : Math.min(limitBytes, node.limit());
    return new AccountedPool(
        "query " + queryId, limit, AccountedPool.Policy.FAIR_WITH_FLOORS, node);
  }
}
