package dev.varve.layout.upkeep;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Removes what no table needs. A file goes only if no snapshot that any table of the catalog still
 * has names it, and no running statement reads or writes it. What cannot be removed now stays
 * remembered and is tried again by the next call. Safe for concurrent use.
 */
public interface LakeUpkeep {

  /** The least age of what may be removed; requests for younger are refused. */
  Duration leastAge();

  /**
   * Expires a table's snapshots and removes the files that only they had. Snapshots that a branch,
   * a tag or a running statement needs stay.
   *
   * @param olderThan snapshots made before; without it the table's own age limit holds
   * @param retainLast how many of each branch stay in any case
   */
  List<Finding> expireSnapshots(
      String tableUuid,
      Optional<Instant> olderThan,
      OptionalInt retainLast,
      boolean dryRun,
      Runnable checkCanceled);

  /**
   * Removes files that no table has: those of uploads that never came to a commit, of tables that
   * were dropped with their files, and what lies unnamed below the table's folders.
   *
   * @param tableUuid without it, uploads and dropped tables of the whole catalog, and no folder
   * @param olderThan files written before
   */
  List<Finding> removeOrphanFiles(
      Optional<String> tableUuid, Instant olderThan, boolean dryRun, Runnable checkCanceled);

  /**
   * What was, or would be, done.
   *
   * @param location a file, or a snapshot's id; empty for several together
   * @param files how many
   */
  record Finding(Kind kind, Optional<String> location, long files, Outcome outcome) {}

  /** What something is. */
  enum Kind {
    SNAPSHOT,
    DATA_FILE,
    DELETE_FILE,
    MANIFEST,
    MANIFEST_LIST,
    STATISTICS,
    METADATA,
    UPLOAD,
    UNKNOWN_FILE
  }

  /** What became of something. */
  enum Outcome {
    WOULD_BE_REMOVED,
    REMOVED,
    /** A running statement needs it. */
    IN_USE,
    /** The store did not remove it; the next call tries again. */
    FAILED
  }
}
