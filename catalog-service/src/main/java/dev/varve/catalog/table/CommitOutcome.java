package dev.varve.catalog.table;

/** The three results of a commit. */
sealed interface CommitOutcome {
  /** It is done, durably. */
  record Committed() implements CommitOutcome {}

  /** It is certainly not done; trying again on the newer state may succeed. */
  record Conflict(String reason) implements CommitOutcome {}

  /** It may be done: nothing that it wrote may be deleted. */
  record Unknown(RuntimeException cause) implements CommitOutcome {}
}
