package dev.varve.writer.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.OutputFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data files that one statement makes: named when they are begun, removed if the statement does
 * not come to an end. Confined to one task.
 */
public final class NewFiles {
  private static final Logger LOG = LoggerFactory.getLogger(NewFiles.class);

  private final Table table;
  private final String prefix;
  private final List<String> locations = new ArrayList<>();

  public NewFiles(Table table) {
    this.table = table;
    this.prefix = UUID.randomUUID().toString();
  }

  public OutputFile next() {
    String name = "%s-%05d.parquet".formatted(prefix, locations.size());
    String location = table.locationProvider().newDataLocation(name);
    locations.add(location);
    return table.io().newOutputFile(location);
  }

  /** Removes every file; one that cannot be removed is left to orphan clean-up. */
  public void remove() {
    for (String location : locations) {
      removeQuietly(table.io(), location);
    }
    locations.clear();
  }

  public static void removeQuietly(FileIO io, String location) {
    try {
      io.deleteFile(location);
    } catch (RuntimeException e) {
      LOG.warn("cannot remove {}, which no table refers to", location, e);
    }
  }

  /** Keeps every file. */
  public void keep() {
    locations.clear();
  }
}
