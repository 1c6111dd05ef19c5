package dev.varve.service.postgres;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;

/**
 * Whether a client is between BEGIN and COMMIT. Statements commit by themselves, also there: the
 * block is what drivers need to fetch in portions, and ROLLBACK of a block that has written says
 * that it cannot be done. Confined to the connection's thread.
 */
final class TransactionBlock {
  private boolean open;
  private boolean failed;
  private int writes;

  /** As ReadyForQuery tells it. */
  char status() {
    return !open ? 'I' : failed ? 'E' : 'T';
  }

  boolean isFailed() {
    return failed;
  }

  boolean isOpen() {
    return open;
  }

  void begin() {
    if (!open) {
      open = true;
      writes = 0;
    }
  }

  void wrote() {
    if (open) {
      writes++;
    }
  }

  void statementFailed() {
    failed = open;
  }

  /** Answers the tag: what a failed block commits is a rollback. */
  String commit() {
    if (failed) {
      rollback();
      return "ROLLBACK";
    }
    open = false;
    return "COMMIT";
  }

  void rollback() {
    int lasting = writes;
    open = false;
    failed = false;
    writes = 0;
    if (lasting > 0) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          lasting
              + (lasting == 1 ? " statement" : " statements")
              + " since BEGIN changed something and cannot be undone: each committed by itself",
          null,
          "the transaction block has ended",
          null);
    }
  }
}
