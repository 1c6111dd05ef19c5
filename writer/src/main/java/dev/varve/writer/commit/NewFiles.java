package dev.varve.writer.commit;

import dev.varve.layout.upkeep.UploadLog;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.OutputFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data files that one statement makes: named, and noted, before they are begun; removed if the
 * statement does not come to an end. Confined to one task.
 */
public final class NewFiles {
  private static final Logger LOG = LoggerFactory.getLogger(NewFiles.class);

  private static final int MOST_NOTED_AT_ONCE = 64;

  private final Table table;
  private final UploadLog log;
  private final String uploadId = UUID.randomUUID().toString();
  private final List<String> noted = new ArrayList<>();
  private int begun;

  public NewFiles(Table table, UploadLog log) {
    this.table = table;
    this.log = log;
  }

  /** What the summary of the snapshot that takes the files says, so that they are not noted on. */
  public String uploadId() {
    return uploadId;
  }

  public OutputFile next() {
    if (begun == noted.size()) {
      note(Math.clamp(noted.size(), 1, MOST_NOTED_AT_ONCE));
    }
    return table.io().newOutputFile(noted.get(begun++));
  }

  /** Names more files as there are more, so that many of them cost few notes. */
  private void note(int count) {
    List<String> next = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String name = "%s-%05d.parquet".formatted(uploadId, noted.size() + i);
      next.add(table.locationProvider().newDataLocation(name));
    }
    log.begin(table.uuid().toString(), uploadId, next);
    noted.addAll(next);
  }

  /** Removes every file; one that cannot be removed is left, noted, to orphan clean-up. */
  public void remove() {
    boolean all = true;
    for (String location : noted.subList(0, begun)) {
      all &= removeQuietly(table.io(), location);
    }
    if (!noted.isEmpty()) {
      if (all) {
        forgetQuietly();
      } else {
        log.leave(uploadId);
      }
    }
    end();
  }

  private void forgetQuietly() {
    try {
      log.forget(uploadId);
    } catch (RuntimeException e) {
      LOG.warn("upload {} stays noted though its files are gone", uploadId, e);
    }
  }

  /** Returns whether the file is gone. */
  public static boolean removeQuietly(FileIO io, String location) {
    try {
      io.deleteFile(location);
      return true;
    } catch (RuntimeException e) {
      LOG.warn("cannot remove {}, which no table refers to", location, e);
      return false;
    }
  }

  /** Keeps every file: the table has them, or may have them. */
  public void keep() {
    log.leave(uploadId);
    end();
  }

  private void end() {
    noted.clear();
    begun = 0;
  }
}
