package dev.varve.engine.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The gate of one node: a free permit goes to the waiting query that has used least CPU, among its
 * tasks to the one that has waited longest. Safe for concurrent use.
 */
public final class FairCoreGate implements CoreGate {
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Waiter> waiting = new ArrayList<>();
  private int free;

  public FairCoreGate(int permits) {
    if (permits < 1) {
      throw new IllegalArgumentException("a gate of " + permits + " permits lets nobody pass");
    }
    this.free = permits;
  }

  private static final class Waiter {
    private final QueryContext query;
    private final Thread thread = Thread.currentThread();
    private volatile boolean granted;

    private Waiter(QueryContext query) {
      this.query = query;
    }
  }

  @Override
  public void acquire(QueryContext query) {
    Waiter self;
    lock.lock();
    try {
      if (free > 0) {
        free--;
        return;
      }
      self = new Waiter(query);
      waiting.add(self);
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (!self.granted) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void release(QueryContext query, long heldNanos) {
    query.cpuNanos().addAndGet(heldNanos);
    Waiter next = null;
    lock.lock();
    try {
      long least = Long.MAX_VALUE;
      for (Waiter waiter : waiting) {
        long used = waiter.query.cpuNanos().get();
        if (next == null || used < least) {
          next = waiter;
          least = used;
        }
      }
      if (next == null) {
        free++;
      } else {
        waiting.remove(next);
        next.granted = true;
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
  }

  /** Permits that nobody holds now. */
  public int freePermits() {
    lock.lock();
    try {
      return free;
    } finally {
      lock.unlock();
    }
  }
}
