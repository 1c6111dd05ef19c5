package dev.varve.engine.spill;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;

/** Says in our words what went wrong with a spill file. */
final class SpillFailures {
  private SpillFailures() {}

  static VarveException of(String consumer, String action, IOException cause) {
    String reason = String.valueOf(cause.getMessage());
    boolean full = reason.contains("No space left") || reason.contains("Disk quota exceeded");
    return full
        ? new VarveException(
            ErrorCode.DISK_FULL,
            consumer + " cannot " + action + ": no space is left on the device",
            null,
            "make room in the spill folder, or give the query more memory",
            cause)
        : new VarveException(
            ErrorCode.IO_ERROR, consumer + " cannot " + action + ": " + cause, cause);
  }
}
