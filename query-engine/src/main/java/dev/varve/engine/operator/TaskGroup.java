package dev.varve.engine.operator;

import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.TaskContext;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs the parts of a step at the same time, each in a task, and waits for all of them. One step at
 * a time; what the parts wrote is visible after it. A part that fails ends the query; even then the
 * others have ended when the step has.
 */
final class TaskGroup {
  /** What is done for one part, in its own task. */
  @FunctionalInterface
  interface Part {
    void run(int part, TaskContext task);
  }

  private final QueryContext query;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int running;

  TaskGroup(QueryContext query) {
    this.query = query;
  }

  /** Part 0 is run by the caller itself. */
  void run(String name, int parts, TaskContext context, Part body) {
    try {
      for (int p = 1; p < parts; p++) {
        start(name, p, context, body);
      }
      body.run(0, context);
    } catch (Throwable t) {
      query.cancellation().cancel(t);
      throw t;
    } finally {
      if (parts > 1) {
        context.blocking(this::await);
      }
    }
    query.cancellation().check();
  }

  private void start(String name, int part, TaskContext context, Part body) {
    count(1);
    try {
      context.spawn(
          name + "[" + part + "]",
          task -> {
            try {
              body.run(part, task);
            } finally {
              count(-1);
            }
          });
    } catch (Throwable t) {
      count(-1);
      throw t;
    }
  }

  private void count(int change) {
    lock.lock();
    try {
      running += change;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean await() {
    lock.lock();
    try {
      while (running > 0) {
        changed.awaitUninterruptibly();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
