package dev.varve.writer.parquet;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a failing file system means to the user. */
public final class WriteFailure {
  private WriteFailure() {}

  /**
   * @throws RuntimeException {@code failure} itself where it is a bug of ours
   */
  public static VarveException of(Exception failure, String location) {
    if (failure instanceof IllegalStateException
        || failure instanceof NullPointerException
        || failure instanceof IndexOutOfBoundsException
        || failure instanceof ClassCastException) {
      throw (RuntimeException) failure;
    }
    for (Throwable cause = failure; cause != null; cause = next(cause)) {
      if (cause instanceof VarveException known) {
        return known;
      }
      String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
      if (text.contains("no space left on device") || text.contains("disk quota exceeded")) {
        return new VarveException(
            ErrorCode.DISK_FULL,
            "no space is left to write " + location,
            null,
            "nothing was committed, and what was written is removed",
            failure);
      }
    }
    return new VarveException(
        ErrorCode.IO_ERROR, "cannot write " + location + ": " + reason(failure), failure);
  }

  private static @Nullable Throwable next(Throwable cause) {
    return cause.getCause() == cause ? null : cause.getCause();
  }

  private static String reason(Throwable failure) {
    Throwable root = failure;
    for (Throwable cause = failure; cause != null; cause = next(cause)) {
      root = cause;
    }
    if (root instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (root instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }
}
