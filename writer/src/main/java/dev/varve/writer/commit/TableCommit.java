package dev.varve.writer.commit;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.util.SnapshotUtil;

/** Runs a commit and tells its three results apart. */
public final class TableCommit {
  /** The snapshot summary's key for the query that made it. */
  public static final String QUERY_ID = "varve.query-id";

  private TableCommit() {}

  /**
   * @param commit Iceberg's commit, with its own retries
   * @param table where the snapshot is to be found afterwards
   */
  public static CommitOutcome run(Runnable commit, Table table, String queryId) {
    try {
      commit.run();
    } catch (CommitStateUnknownException e) {
      return new CommitOutcome.Unknown(e);
    } catch (CommitFailedException | ValidationException e) {
      return new CommitOutcome.Conflict(e);
    } catch (RuntimeException e) {
      return isCertainlyNotDone(e) ? new CommitOutcome.Failed(e) : new CommitOutcome.Unknown(e);
    }
    return new CommitOutcome.Committed(snapshotOf(table, queryId));
  }

  /**
   * Iceberg marks the failures that leave the table as it was; ours come from writing metadata,
   * before the pointer moves; and a table that is there already was made by another.
   */
  private static boolean isCertainlyNotDone(RuntimeException failure) {
    return failure instanceof CleanableFailure
        || failure instanceof VarveException
        || failure instanceof AlreadyExistsException;
  }

  /** The newest snapshot that a query made; the current one if it is not to be found. */
  private static long snapshotOf(Table table, String queryId) {
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      if (queryId.equals(snapshot.summary().get(QUERY_ID))) {
        return snapshot.snapshotId();
      }
    }
    Snapshot current = table.currentSnapshot();
    return current == null ? -1 : current.snapshotId();
  }

  /** The failure for anything but {@link CommitOutcome.Committed}. */
  public static VarveException failure(CommitOutcome outcome, Table table, String queryId) {
    return switch (outcome) {
      case CommitOutcome.Conflict conflict ->
          new VarveException(
              ErrorCode.COMMIT_CONFLICT,
              "another commit to "
                  + table.name()
                  + " was in the way: "
                  + conflict.cause().getMessage(),
              null,
              "nothing was changed; run the statement again",
              conflict.cause());
      case CommitOutcome.Unknown unknown ->
          new VarveException(
              ErrorCode.COMMIT_STATE_UNKNOWN,
              "it is unknown whether the commit to "
                  + table.name()
                  + " happened: "
                  + unknown.cause().getMessage(),
              null,
              "nothing was removed; a snapshot with "
                  + QUERY_ID
                  + " = "
                  + queryId
                  + " is the proof",
              unknown.cause());
      case CommitOutcome.Failed failed -> refused(failed.cause(), table);
      case CommitOutcome.Committed _ -> throw new IllegalStateException("a commit that succeeded");
    };
  }

  private static VarveException refused(RuntimeException cause, Table table) {
    return switch (cause) {
      case VarveException known -> known;
      case AlreadyExistsException _ ->
          new VarveException(
              ErrorCode.DUPLICATE_TABLE, "table " + table.name() + " exists meanwhile", cause);
      case NoSuchTableException _ ->
          new VarveException(
              ErrorCode.UNDEFINED_TABLE, "table " + table.name() + " was dropped meanwhile", cause);
      default ->
          new VarveException(
              ErrorCode.IO_ERROR,
              "the commit to " + table.name() + " was refused: " + cause.getMessage(),
              cause);
    };
  }
}
