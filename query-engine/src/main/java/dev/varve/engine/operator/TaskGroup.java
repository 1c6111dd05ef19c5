package dev.varve.engine.operator;

import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.TaskContext;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs the parts of a step at the same time, each in a task, and waits for all of them. One step at
 * a time; what the parts wrote is visible after it. A part that fails ends the query.
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
    query.cancellation().onCancel(this::wake);
  }

  private void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Part 0 is run by the caller itself. */
  void run(String name, int parts, TaskContext context, Part body) {
    lock.lock();
    try {
      running = parts - 1;
    } finally {
      lock.unlock();
    }
    for (int p = 1; p < parts; p++) {
      int part = p;
      context.spawn(
          name + "[" + part + "]",
          task -> {
            body.run(part, task);
            end();
          });
    }
    body.run(0, context);
    if (parts > 1) {
      context.blocking(this::await);
    }
    query.cancellation().check();
  }

  private void end() {
    lock.lock();
    try {
      running--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean await() {
    lock.lock();
    try {
      while (running > 0 && !query.cancellation().isCanceled()) {
        changed.awaitUninterruptibly();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
