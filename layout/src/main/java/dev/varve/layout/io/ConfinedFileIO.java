package dev.varve.layout.io;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsBulkOperations;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * A FileIO that reads, writes and deletes below some roots only, whatever metadata and manifests
 * say: those may come from anyone who may commit. Refuses with {@link
 * ErrorCode#INSUFFICIENT_PRIVILEGE}. Safe for concurrent use.
 */
public final class ConfinedFileIO implements DelegateFileIO {
  private static final long serialVersionUID = 1L;

  private final transient FileIO io;
  private final transient FileRoots roots;

  public ConfinedFileIO(FileIO io, FileRoots roots) {
    this.io = io;
    this.roots = roots;
  }

  @Override
  public InputFile newInputFile(String location) {
    return io.newInputFile(inside(location));
  }

  @Override
  public InputFile newInputFile(String location, long length) {
    return io.newInputFile(inside(location), length);
  }

  @Override
  public OutputFile newOutputFile(String location) {
    return io.newOutputFile(inside(location));
  }

  @Override
  public void deleteFile(String location) {
    io.deleteFile(inside(location));
  }

  @Override
  public void deleteFiles(Iterable<String> locations) throws BulkDeletionFailureException {
    List<String> all = new ArrayList<>();
    locations.forEach(location -> all.add(inside(location)));
    if (io instanceof SupportsBulkOperations bulk) {
      bulk.deleteFiles(all);
      return;
    }
    all.forEach(io::deleteFile);
  }

  @Override
  public Iterable<FileInfo> listPrefix(String prefix) {
    return listing(prefix).listPrefix(inside(prefix));
  }

  @Override
  public void deletePrefix(String prefix) {
    listing(prefix).deletePrefix(inside(prefix));
  }

  private SupportsPrefixOperations listing(String prefix) {
    if (io instanceof SupportsPrefixOperations listing) {
      return listing;
    }
    throw new VarveException(
        ErrorCode.FEATURE_NOT_SUPPORTED, "the store of '" + prefix + "' lists no files");
  }

  @Override
  public void close() {
    io.close();
  }

  private String inside(String location) {
    if (!roots.contain(location)) {
      throw new VarveException(
          ErrorCode.INSUFFICIENT_PRIVILEGE,
          "'" + location + "' is outside the locations that tables may use: " + roots,
          null,
          "add a location with --files-root or files.roots",
          null);
    }
    return location;
  }
}
