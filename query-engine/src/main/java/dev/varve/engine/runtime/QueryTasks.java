package dev.varve.engine.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The tasks of one query: each a virtual thread that holds a core permit while it computes. The
 * first task that fails ends the query; closing waits until every task has ended. Safe for
 * concurrent use.
 */
public final class QueryTasks implements AutoCloseable {
  /** Batches a task may spend before it offers its core to others. */
  static final int BUDGET = 128;

  private final QueryContext query;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private int running;

  public QueryTasks(QueryContext query) {
    this.query = query;
  }

  public QueryContext query() {
    return query;
  }

  /** Starts a task; see {@link TaskContext#spawn}. */
  public void spawn(String name, TaskContext.TaskBody body) {
    lock.lock();
    try {
      running++;
    } finally {
      lock.unlock();
    }
    try {
      Thread.ofVirtual().name(query.queryId() + " " + name).start(() -> run(body));
    } catch (Throwable t) {
      end();
      throw t;
    }
  }

  @SuppressWarnings("CatchAndPrintStackTrace")
  private void run(TaskContext.TaskBody body) {
    try {
      Task task = new Task();
      task.enter();
      try {
        body.run(task);
      } finally {
        task.leave();
      }
    } catch (Throwable t) {
      query.cancellation().cancel(t);
    } finally {
      end();
    }
  }

  private void end() {
    lock.lock();
    try {
      running--;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Tasks that have not ended. */
  public int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for all tasks; it ends none. */
  @Override
  public void close() {
    lock.lock();
    try {
      while (running > 0) {
        ended.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Confined to its thread. */
  private final class Task implements TaskContext {
    private int budget = BUDGET;
    private boolean holding;
    private long heldSince;

    private void enter() {
      query.gate().acquire(query);
      holding = true;
      heldSince = System.nanoTime();
    }

    private void leave() {
      if (holding) {
        holding = false;
        query.gate().release(query, System.nanoTime() - heldSince);
      }
    }

    @Override
    public QueryContext query() {
      return query;
    }

    @Override
    public void checkpoint() {
      query.cancellation().check();
      if (--budget <= 0) {
        budget = BUDGET;
        leave();
        Thread.yield();
        enter();
      }
    }

    @Override
    public <T> T blocking(Callable<T> wait) {
      boolean held = holding;
      leave();
      try {
        return wait.call();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        throw new IllegalStateException(e);
      } finally {
        if (held) {
          enter();
        }
      }
    }

    @Override
    public void spawn(String name, TaskBody body) {
      QueryTasks.this.spawn(name, body);
    }
  }
}
