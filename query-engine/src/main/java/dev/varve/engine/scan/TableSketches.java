package dev.varve.engine.scan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.BlobMetadata;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.puffin.StandardBlobTypes;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * Distinct values that were counted for a whole table. The table's metadata holds the numbers: no
 * file is read for them. Those of an older snapshot are estimates too.
 */
final class TableSketches {
  private static final String NDV = "ndv";
  private static final String RECORDS = "total-records";

  /** From which share of distinct values on a column is taken to grow with its table. */
  private static final double UNIQUE_SHARE = 0.9;

  private TableSketches() {}

  /** By field id, as they were counted in the newest of the snapshot's ancestors that has them. */
  static Map<Integer, Long> distinctCounts(Table table, long snapshotId) {
    List<StatisticsFile> files = table.statisticsFiles();
    if (files.isEmpty() || snapshotId == IcebergTableSource.NO_SNAPSHOT) {
      return Map.of();
    }
    for (Snapshot snapshot : SnapshotUtil.ancestorsOf(snapshotId, table::snapshot)) {
      for (StatisticsFile file : files) {
        if (file.snapshotId() == snapshot.snapshotId()) {
          Map<Integer, Long> counts = counts(file);
          if (!counts.isEmpty()) {
            return grown(counts, records(snapshot), records(table.snapshot(snapshotId)));
          }
        }
      }
    }
    return Map.of();
  }

  private static Map<Integer, Long> counts(StatisticsFile file) {
    Map<Integer, Long> counts = new HashMap<>();
    for (BlobMetadata blob : file.blobMetadata()) {
      String ndv = blob.properties() == null ? null : blob.properties().get(NDV);
      if (ndv != null
          && blob.type().equals(StandardBlobTypes.APACHE_DATASKETCHES_THETA_V1)
          && blob.fields().size() == 1) {
        try {
          counts.put(blob.fields().getFirst(), Math.max(0, Long.parseLong(ndv)));
        } catch (NumberFormatException e) {
          // What another writer put there tells nothing.
          continue;
        }
      }
    }
    return counts;
  }

  /** A column that was about unique still is when there are more rows. */
  private static Map<Integer, Long> grown(Map<Integer, Long> counts, long then, long now) {
    if (then <= 0 || now <= then) {
      return counts;
    }
    Map<Integer, Long> grown = new HashMap<>();
    counts.forEach(
        (field, count) ->
            grown.put(
                field,
                count >= UNIQUE_SHARE * then ? (long) ((double) count / then * now) : count));
    return grown;
  }

  private static long records(@Nullable Snapshot snapshot) {
    String records = snapshot == null ? null : snapshot.summary().get(RECORDS);
    try {
      return records == null ? -1 : Long.parseLong(records);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
