package dev.varve.layout.io;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** Says in our words what went wrong with a local file. */
final class LocalFailures {
  private LocalFailures() {}

  static VarveException of(String action, String location, IOException cause) {
    String file = "cannot " + action + " '" + location + "': ";
    return switch (cause) {
      case NoSuchFileException _, FileNotFoundException _ ->
          new VarveException(
              ErrorCode.FILE_NOT_FOUND, "file '" + location + "' does not exist", cause);
      case AccessDeniedException _ ->
          new VarveException(
              ErrorCode.IO_ERROR,
              file + "permission denied",
              null,
              "check the owner and mode of the file and its directory",
              cause);
      case FileAlreadyExistsException e ->
          // Thrown where a directory is to be made and a file stands in its place.
          new VarveException(
              ErrorCode.IO_ERROR, file + "'" + e.getFile() + "' is not a directory", cause);
      default ->
          isDiskFull(cause)
              ? new VarveException(
                  ErrorCode.DISK_FULL, file + "no space is left on the device", cause)
              : new VarveException(ErrorCode.IO_ERROR, file + reason(cause), cause);
    };
  }

  /** Whether a failure or one of its causes says that the device or the quota is full. */
  static boolean isDiskFull(@Nullable Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      String message = at.getMessage();
      if (at instanceof IOException
          && message != null
          && (message.contains("No space left") || message.contains("Disk quota exceeded"))) {
        return true;
      }
    }
    return false;
  }

  private static String reason(IOException cause) {
    String reason =
        cause instanceof FileSystemException failure ? failure.getReason() : cause.getMessage();
    return reason != null ? reason : cause.getClass().getSimpleName();
  }
}
