package dev.varve.layout.io;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.jspecify.annotations.Nullable;

/**
 * Iceberg's FileIO over the local file system, for absolute paths and {@code file:} URIs, without
 * Hadoop. As in Iceberg's other FileIOs, a location is not percent-decoded: what follows the scheme
 * is the path.
 *
 * <p>Written files are on stable storage when their stream's {@code close} returns. Failures are
 * {@link VarveException}s with {@link ErrorCode#FILE_NOT_FOUND}, {@link ErrorCode#DISK_FULL} or
 * {@link ErrorCode#IO_ERROR}; writing to a stream throws IOException as streams do, with the cause
 * attached. Without state, safe for concurrent use.
 */
public final class LocalFileIO implements FileIO {
  private static final long serialVersionUID = 1L;

  @Override
  public InputFile newInputFile(String location) {
    return new LocalInputFile(location, path(location));
  }

  @Override
  public OutputFile newOutputFile(String location) {
    return new LocalOutputFile(location, path(location));
  }

  /** Deletes a file; a file that is not there is deleted already. */
  @Override
  public void deleteFile(String location) {
    try {
      Files.deleteIfExists(path(location));
    } catch (IOException e) {
      throw LocalFailures.of("delete", location, e);
    }
  }

  /** The local path that a location names. */
  public static Path path(String location) {
    String path = location;
    int colon = location.indexOf(':');
    if (colon > 0 && location.indexOf('/') != 0 && isScheme(location, colon)) {
      if (!location.substring(0, colon).toLowerCase(Locale.ROOT).equals("file")) {
        throw notLocal(location, null);
      }
      path = location.substring(colon + 1);
      if (path.startsWith("//")) {
        int slash = path.indexOf('/', 2);
        String host = path.substring(2, slash < 0 ? path.length() : slash);
        if (!host.isEmpty() && !host.equals("localhost")) {
          throw notLocal(location, null);
        }
        path = slash < 0 ? "" : path.substring(slash);
      }
    }
    if (path.isEmpty()) {
      throw notLocal(location, null);
    }
    try {
      return Path.of(path).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw notLocal(location, e);
    }
  }

  private static boolean isScheme(String location, int colon) {
    for (int i = 0; i < colon; i++) {
      char c = location.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
        return false;
      }
    }
    return true;
  }

  private static VarveException notLocal(String location, @Nullable Throwable cause) {
    return new VarveException(
        ErrorCode.INVALID_PARAMETER,
        "'" + location + "' is neither a local path nor a file: URI",
        null,
        null,
        cause);
  }
}
