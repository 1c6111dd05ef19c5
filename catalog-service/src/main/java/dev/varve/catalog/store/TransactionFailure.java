package dev.varve.catalog.store;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Why a transaction has no result, where the caller can do something about it. */
public final class TransactionFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is known of the transaction's effect. */
  public enum Kind {
    /** Nothing was done: another transaction was in the way. */
    CONFLICT,
    /** Nothing was done: a unique constraint holds the same key. */
    DUPLICATE,
    /** Nothing was done: a row refers to the one removed, or to none. */
    REFERENCE,
    /** The database did not say whether it committed. */
    UNKNOWN
  }

  private final Kind kind;

  TransactionFailure(Kind kind, Throwable cause) {
    super("transaction " + kind + ": " + cause.getMessage(), cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  /** The kinds that a failed statement stands for; null for those nobody can act on. */
  static @Nullable Kind of(SQLException failure) {
    for (SQLException at = failure; at != null; at = at.getNextException()) {
      String state = at.getSQLState();
      if (state == null) {
        continue;
      }
      if (state.equals("23505")) {
        return Kind.DUPLICATE;
      }
      if (state.equals("23503") || state.equals("23506")) {
        return Kind.REFERENCE;
      }
      // 40: rollback (40003 would be "completion unknown"); 55P03 and HYT00: a lock was not had in
      // time.
      if ((state.startsWith("40") && !state.equals("40003"))
          || state.equals("55P03")
          || state.equals("HYT00")) {
        return Kind.CONFLICT;
      }
    }
    return null;
  }
}
