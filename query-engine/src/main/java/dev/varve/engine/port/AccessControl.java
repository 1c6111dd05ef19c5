package dev.varve.engine.port;

import java.util.List;

/**
 * Decides whether a principal may do what a statement does; asked once for every statement, before
 * it is planned further.
 */
public interface AccessControl {
  enum Privilege {
    SELECT,
    INSERT,
    CREATE,
    DROP,
    /** Call a procedure on a table. */
    MAINTAIN,
    /** Read files that are no table's: {@code FROM 'path'}, {@code COPY t FROM 'path'}. */
    READ_FILES,
    /** {@code COPY ... TO 'path'}. */
    WRITE_FILES,
    /** Change settings of the session. */
    SET
  }

  /** One thing a statement does; for files, {@code object.table} is the path. */
  record Access(Privilege privilege, ObjectName object) {}

  /**
   * @throws dev.varve.layout.error.VarveException INSUFFICIENT_PRIVILEGE, naming the first access
   *     that is refused
   */
  void check(Principal principal, List<Access> accesses);
}
