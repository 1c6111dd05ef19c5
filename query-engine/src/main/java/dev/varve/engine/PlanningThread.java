package dev.varve.engine;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Threads that plan: planning recurses over expressions, and what programs generate is deep. */
final class PlanningThread {
  private static final long STACK_BYTES = 64L << 20;

  private PlanningThread() {}

  static void start(String name, Runnable work) {
    Thread.ofPlatform().daemon().name(name).stackSize(STACK_BYTES).start(work);
  }

  /** Runs work to its end; throws what it throws. */
  static <T> T call(String name, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    start(name, task);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
