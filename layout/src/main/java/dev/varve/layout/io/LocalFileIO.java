package dev.varve.layout.io;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileInfo;
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
public final class LocalFileIO implements DelegateFileIO {
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

  /** Tries them all; a file that is not there is deleted already. */
  @Override
  public void deleteFiles(Iterable<String> locations) throws BulkDeletionFailureException {
    int failures = 0;
    for (String location : locations) {
      try {
        deleteFile(location);
      } catch (VarveException e) {
        failures++;
      }
    }
    if (failures > 0) {
      throw new BulkDeletionFailureException(failures);
    }
  }

  /**
   * The regular files below a directory, in locations that begin as {@code prefix} does; links are
   * neither followed nor listed. Nothing where there is no directory.
   */
  @Override
  public Iterable<FileInfo> listPrefix(String prefix) {
    Path root = path(prefix);
    String base = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    List<FileInfo> files = new ArrayList<>();
    try (Stream<Path> found = Files.walk(root)) {
      found.forEach(path -> describe(base, root, path, files));
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw LocalFailures.of("list", prefix, e);
    } catch (UncheckedIOException e) {
      throw LocalFailures.of("list", prefix, Objects.requireNonNull(e.getCause()));
    }
    return files;
  }

  private static void describe(String base, Path root, Path path, List<FileInfo> into) {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isRegularFile()) {
        into.add(
            new FileInfo(
                base + "/" + root.relativize(path),
                attributes.size(),
                attributes.lastModifiedTime().toMillis()));
      }
    } catch (NoSuchFileException e) {
      // Deleted since its directory was read.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes the files below a directory; the directories stay. */
  @Override
  public void deletePrefix(String prefix) {
    for (FileInfo file : listPrefix(prefix)) {
      deleteFile(file.location());
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
