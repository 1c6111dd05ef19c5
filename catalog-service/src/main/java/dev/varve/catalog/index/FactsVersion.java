package dev.varve.catalog.index;

import dev.varve.catalog.store.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The count by which nodes see that something is known otherwise than before although no commit
 * came: whoever changes facts of files or indexes a snapshot belatedly raises it in the same
 * transaction.
 */
final class FactsVersion {
  private FactsVersion() {}

  static Optional<Long> current(Sql sql, String tableUuid) throws SQLException {
    return sql.first(
        "select facts_seq from lh_table where table_uuid = ?", row -> row.getLong(1), tableUuid);
  }

  static long current(Sql sql, long tableId) throws SQLException {
    return sql.first(
            "select facts_seq from lh_table where table_id = ?", row -> row.getLong(1), tableId)
        .orElse(0L);
  }

  /** Raises it and returns it; the caller holds the lock of the table's row. */
  static long raise(Sql sql, long tableId) throws SQLException {
    sql.update("update lh_table set facts_seq = facts_seq + 1 where table_id = ?", tableId);
    return sql.first(
            "select facts_seq from lh_table where table_id = ?", row -> row.getLong(1), tableId)
        .orElseThrow(() -> new IllegalStateException("table " + tableId + " has no row"));
  }

  /** The files whose facts changed after a version. */
  static List<Long> changedAfter(Sql sql, long tableId, long version) throws SQLException {
    return sql.list(
        "select file_id from lh_file where table_id = ? and facts_seq > ?",
        row -> row.getLong(1),
        tableId,
        version);
  }
}
