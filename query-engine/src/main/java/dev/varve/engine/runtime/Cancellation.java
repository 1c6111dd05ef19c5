package dev.varve.engine.runtime;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The one switch that ends a query: set once, by the first cause. Safe for concurrent use. */
public final class Cancellation {
  private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** Ends the query for {@code reason}; only the first counts. */
  public void cancel(Throwable reason) {
    if (cause.compareAndSet(null, reason)) {
      listeners.forEach(Runnable::run);
    }
  }

  public void cancelByUser() {
    cancel(new VarveException(ErrorCode.QUERY_CANCELED, "the query was cancelled"));
  }

  public boolean isCanceled() {
    return cause.get() != null;
  }

  public @Nullable Throwable cause() {
    return cause.get();
  }

  /** Throws if the query has been ended; called at least once a batch. */
  public void check() {
    Throwable reason = cause.get();
    if (reason instanceof VarveException failure) {
      throw failure;
    }
    if (reason != null) {
      throw new VarveException(ErrorCode.QUERY_CANCELED, "the query failed: " + reason, reason);
    }
  }

  /** Runs {@code action} when the query is ended, at once if it has been. */
  public void onCancel(Runnable action) {
    listeners.add(action);
    if (isCanceled()) {
      action.run();
    }
  }
}
