package dev.varve.layout.io;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/** Local files, and buckets where a store is given for them. Safe for concurrent use. */
public final class SchemeFileIO implements DelegateFileIO {
  private static final long serialVersionUID = 1L;

  private final transient DelegateFileIO local;
  private final transient DelegateFileIO objects;

  public SchemeFileIO(DelegateFileIO local, DelegateFileIO objects) {
    this.local = local;
    this.objects = objects;
  }

  @Override
  public InputFile newInputFile(String location) {
    return of(location).newInputFile(location);
  }

  @Override
  public InputFile newInputFile(String location, long length) {
    return of(location).newInputFile(location, length);
  }

  @Override
  public OutputFile newOutputFile(String location) {
    return of(location).newOutputFile(location);
  }

  @Override
  public void deleteFile(String location) {
    of(location).deleteFile(location);
  }

  @Override
  public void deleteFiles(Iterable<String> locations) throws BulkDeletionFailureException {
    Map<DelegateFileIO, List<String>> byStore = new HashMap<>();
    locations.forEach(
        location -> byStore.computeIfAbsent(of(location), io -> new ArrayList<>()).add(location));
    int failures = 0;
    for (Map.Entry<DelegateFileIO, List<String>> one : byStore.entrySet()) {
      try {
        one.getKey().deleteFiles(one.getValue());
      } catch (BulkDeletionFailureException e) {
        failures += e.numberFailedObjects();
      }
    }
    if (failures > 0) {
      throw new BulkDeletionFailureException(failures);
    }
  }

  @Override
  public Iterable<FileInfo> listPrefix(String prefix) {
    return of(prefix).listPrefix(prefix);
  }

  @Override
  public void deletePrefix(String prefix) {
    of(prefix).deletePrefix(prefix);
  }

  @Override
  public void close() {
    local.close();
    objects.close();
  }

  private DelegateFileIO of(String location) {
    if (FileRoots.isObject(location)) {
      return objects;
    }
    int scheme = location.indexOf("://");
    if (scheme > 0 && !location.regionMatches(true, 0, "file:", 0, "file:".length())) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "'" + location + "' is neither a local path nor s3://bucket/key");
    }
    return local;
  }
}
