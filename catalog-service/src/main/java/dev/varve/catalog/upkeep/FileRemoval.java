package dev.varve.catalog.upkeep;

import dev.varve.layout.upkeep.LakeUpkeep.Finding;
import dev.varve.layout.upkeep.LakeUpkeep.Kind;
import dev.varve.layout.upkeep.LakeUpkeep.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.SupportsBulkOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes files in batches, and counts. Confined to one thread. */
final class FileRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(FileRemoval.class);

  private static final int BATCH = 1_000;

  /** Findings that name their file; what is more is counted together. */
  private static final int MOST_NAMED = 10_000;

  private final FileIO io;
  private final boolean dryRun;
  private final Runnable checkCanceled;
  private final List<Finding> named = new ArrayList<>();
  private final Map<Kind, Map<Outcome, Long>> counts = new EnumMap<>(Kind.class);

  FileRemoval(FileIO io, boolean dryRun, Runnable checkCanceled) {
    this.io = io;
    this.dryRun = dryRun;
    this.checkCanceled = checkCanceled;
  }

  /**
   * Deletes files of one kind, or says that it would.
   *
   * @return how many are gone now, or would be
   */
  int remove(Kind kind, List<String> locations) {
    return remove(kind, locations, location -> {});
  }

  /**
   * @param onFailure is told of each file that is still there
   */
  int remove(Kind kind, List<String> locations, Consumer<String> onFailure) {
    if (dryRun) {
      locations.forEach(location -> note(kind, location, Outcome.WOULD_BE_REMOVED));
      return locations.size();
    }
    int gone = 0;
    for (int from = 0; from < locations.size(); from += BATCH) {
      checkCanceled.run();
      List<String> batch = locations.subList(from, Math.min(locations.size(), from + BATCH));
      List<String> removed = removeBatch(batch);
      count(kind, Outcome.REMOVED, removed.size());
      gone += removed.size();
      if (removed.size() < batch.size()) {
        List<String> left = new ArrayList<>(batch);
        left.removeAll(removed);
        left.forEach(location -> note(kind, location, Outcome.FAILED));
        left.forEach(onFailure);
      }
    }
    return gone;
  }

  private List<String> removeBatch(List<String> batch) {
    if (io instanceof SupportsBulkOperations bulk) {
      try {
        bulk.deleteFiles(batch);
        return batch;
      } catch (BulkDeletionFailureException e) {
        LOG.warn(
            "{} of {} files could not be removed at once", e.numberFailedObjects(), batch.size());
      }
    }
    // One by one, to know which.
    List<String> removed = new ArrayList<>();
    for (String location : batch) {
      checkCanceled.run();
      try {
        io.deleteFile(location);
        removed.add(location);
      } catch (RuntimeException e) {
        LOG.warn("cannot remove {}, which no table needs", location, e);
      }
    }
    return removed;
  }

  void note(Kind kind, String location, Outcome outcome) {
    if (named.size() < MOST_NAMED) {
      named.add(new Finding(kind, Optional.of(location), 1, outcome));
    } else {
      count(kind, outcome, 1);
    }
  }

  void count(Kind kind, Outcome outcome, long files) {
    if (files > 0) {
      counts
          .computeIfAbsent(kind, k -> new EnumMap<>(Outcome.class))
          .merge(outcome, files, Long::sum);
    }
  }

  /** What was done, file by file where that matters, and the rest in numbers. */
  List<Finding> findings() {
    List<Finding> all = new ArrayList<>(named);
    counts.forEach(
        (kind, outcomes) ->
            outcomes.forEach(
                (outcome, files) -> all.add(new Finding(kind, Optional.empty(), files, outcome))));
    return all;
  }
}
