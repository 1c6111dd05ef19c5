package dev.varve.writer.verify;

import dev.varve.engine.port.ProcedureContext;
import java.util.OptionalLong;

/** Keeps reading below a rate by waiting, without a core and not past the end of the query. */
final class Pace {
  private static final long MAX_SLEEP_MILLIS = 100;

  private final ProcedureContext context;
  private final OptionalLong bytesPerSecond;
  private final long startNanos = System.nanoTime();
  private double bytes;

  Pace(ProcedureContext context, OptionalLong bytesPerSecond) {
    this.context = context;
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Waits until {@code more} bytes may have been read; the caller is the only one if it waits. */
  void read(double more) {
    if (bytesPerSecond.isEmpty()) {
      return;
    }
    bytes += more;
    long due = startNanos + (long) (bytes / bytesPerSecond.getAsLong() * 1e9);
    long left = due - System.nanoTime();
    while (left > 0) {
      context.checkCanceled();
      long millis = Math.clamp(left / 1_000_000, 1, MAX_SLEEP_MILLIS);
      context.blocking(
          () -> {
            Thread.sleep(millis);
            return 0;
          });
      left = due - System.nanoTime();
    }
  }
}
