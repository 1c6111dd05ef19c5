package dev.varve.writer.sink;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.writer.commit.NewFiles;
import dev.varve.writer.parquet.WriteFailure;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.jspecify.annotations.Nullable;

/**
 * The files of one COPY TO. On a local disk they are written under temporary names and renamed when
 * all are complete; in an object store a file appears when it is closed, whole. Confined to one
 * task.
 */
final class CopyFiles {
  private static final String SUFFIX = ".parquet";

  private final FileIO io;
  private final String path;
  private final boolean singleFile;
  private final boolean overwrite;
  private final String token = UUID.randomUUID().toString();
  private final List<String> written = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private CopyFiles(FileIO io, String path, boolean singleFile, boolean overwrite) {
    this.io = io;
    this.path = path;
    this.singleFile = singleFile;
    this.overwrite = overwrite;
  }

  /**
   * @throws VarveException INVALID_PARAMETER if something is there already and not to be replaced
   */
  static CopyFiles open(String path, FileIO io, boolean singleFile, boolean overwrite) {
    CopyFiles files =
        new CopyFiles(
            io,
            path.endsWith("/") ? path.substring(0, path.length() - 1) : path,
            singleFile,
            overwrite);
    if (!overwrite && files.exists()) {
      throw alreadyThere(path);
    }
    return files;
  }

  private static VarveException alreadyThere(String path) {
    return new VarveException(
        ErrorCode.INVALID_PARAMETER,
        "'" + path + "' exists",
        null,
        "add WITH (overwrite = true) to replace it",
        null);
  }

  private boolean exists() {
    return singleFile ? io.newInputFile(path).exists() : !parquetFiles().isEmpty();
  }

  OutputFile next() {
    boolean object = local(path) == null;
    // Objects cannot be renamed: a name of their own keeps those of before until all are complete.
    String suffix = object ? "-" + token + SUFFIX : SUFFIX;
    String name = singleFile ? path : "%s/part-%05d%s".formatted(path, names.size(), suffix);
    String temporary = object ? name : temporary(name);
    names.add(name);
    if (object && singleFile && overwrite) {
      // It replaces the one of before by the request that makes it appear: nothing to take back.
      return new ReplacingFile(io.newOutputFile(name));
    }
    written.add(temporary);
    return io.newOutputFile(temporary);
  }

  private String temporary(String name) {
    int slash = name.lastIndexOf('/');
    return name.substring(0, slash + 1) + "." + name.substring(slash + 1) + "." + token + ".tmp";
  }

  /**
   * Gives the files their names, after taking away those of before.
   *
   * @throws VarveException IO_ERROR, or INVALID_PARAMETER if the file has appeared meanwhile
   */
  void publish() {
    if (overwrite && !singleFile) {
      for (String old : parquetFiles()) {
        if (!written.contains(old)) {
          io.deleteFile(old);
        }
      }
    }
    for (int i = 0; i < written.size(); i++) {
      Path from = local(written.get(i));
      Path to = local(names.get(i));
      if (from != null && to != null) {
        rename(from, to);
      }
      // From here on it stands under its own name.
      written.set(i, names.get(i));
    }
    written.clear();
  }

  private void rename(Path from, Path to) {
    try {
      if (overwrite) {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      } else {
        Files.move(from, to);
      }
    } catch (FileAlreadyExistsException e) {
      throw alreadyThere(to.toString());
    } catch (IOException e) {
      throw WriteFailure.of(e, to.toString());
    }
  }

  /** Removes what was not published. */
  void remove() {
    written.forEach(location -> NewFiles.removeQuietly(io, location));
    written.clear();
  }

  /** The Parquet files in the folder. */
  private List<String> parquetFiles() {
    Path folder = local(path);
    List<String> found = new ArrayList<>();
    if (folder == null) {
      if (io instanceof SupportsPrefixOperations prefixes) {
        for (FileInfo file : prefixes.listPrefix(path + "/")) {
          if (file.location().endsWith(SUFFIX)) {
            found.add(file.location());
          }
        }
      }
      return found;
    }
    if (!Files.isDirectory(folder)) {
      if (Files.exists(folder)) {
        throw new VarveException(
            ErrorCode.INVALID_PARAMETER,
            "'" + path + "' is a file, and its name does not end with " + SUFFIX);
      }
      return found;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      entries.forEach(entry -> found.add(entry.toString()));
    } catch (IOException e) {
      throw WriteFailure.of(e, path);
    }
    return found;
  }

  /** The path on the local disk; null if it is elsewhere. */
  private static @Nullable Path local(String location) {
    boolean elsewhere = location.contains("://") && !location.startsWith("file:");
    return elsewhere ? null : LocalFileIO.path(location);
  }
}
