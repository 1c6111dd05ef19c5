package dev.varve.writer.commit;

/** How a commit ended. */
public sealed interface CommitOutcome {

  /** The snapshot is in the table. */
  record Committed(long snapshotId) implements CommitOutcome {}

  /** Another commit was in the way, for good; the table is as it was. */
  record Conflict(RuntimeException cause) implements CommitOutcome {}

  /** The commit was refused before it could take effect; the table is as it was. */
  record Failed(RuntimeException cause) implements CommitOutcome {}

  /** The commit may or may not have happened: nothing may be removed. */
  record Unknown(RuntimeException cause) implements CommitOutcome {}
}
