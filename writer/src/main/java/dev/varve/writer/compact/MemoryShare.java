package dev.varve.writer.compact;

import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.port.WorkContext;

/**
 * How much memory one of two parties may take, when the other cannot do with less than it needs.
 */
final class MemoryShare {
  private static final long LARGEST_BYTES = 1L << 30;
  private static final long LEAST_BYTES = 4L << 20;

  private MemoryShare() {}

  /** About half of what is free now, at most half a gibibyte. */
  static long half(WorkContext context) {
    try (MemoryReservation probe = context.reserve("memory probe", false)) {
      long bytes = LARGEST_BYTES;
      while (bytes > LEAST_BYTES && !probe.tryGrow(bytes)) {
        bytes /= 2;
      }
      return Math.max(LEAST_BYTES, bytes / 2);
    }
  }
}
