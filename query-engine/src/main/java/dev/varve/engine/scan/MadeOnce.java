package dev.varve.engine.scan;

import dev.varve.engine.runtime.TaskContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * What the first task that asks makes while the others wait for it, without holding a core. If that
 * fails, it fails for all. Safe for concurrent use.
 */
final class MadeOnce<T> {
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CompletableFuture<T> result = new CompletableFuture<>();

  T get(TaskContext context, Supplier<T> make) {
    if (begun.compareAndSet(false, true)) {
      try {
        T made = make.get();
        result.complete(made);
        return made;
      } catch (RuntimeException | Error e) {
        result.completeExceptionally(e);
        throw e;
      }
    }
    return context.blocking(
        () -> {
          try {
            return result.get();
          } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
              throw failure;
            }
            throw e;
          }
        });
  }
}
