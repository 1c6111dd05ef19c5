package dev.varve.catalog.table;

import dev.varve.catalog.index.IndexWriter;
import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import dev.varve.catalog.store.TransactionFailure;
import dev.varve.catalog.store.TransactionFailure.Kind;
import dev.varve.catalog.upkeep.JdbcUploadLog;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.jspecify.annotations.Nullable;

/** Pointers to tables' metadata in the database. Safe for concurrent use. */
final class TableStore {
  private final Database database;

  TableStore(Database database) {
    this.database = database;
  }

  /** A table's row. */
  record Row(long tableId, String tableUuid, String metadataLocation) {}

  Optional<Row> find(TableIdentifier table) {
    if (table.namespace().isEmpty()) {
      return Optional.empty();
    }
    return database.read(sql -> find(sql, table, false));
  }

  OptionalLong tableId(TableIdentifier table) {
    return find(table).map(row -> OptionalLong.of(row.tableId())).orElse(OptionalLong.empty());
  }

  /** The name of the table that has this uuid. */
  Optional<TableIdentifier> named(String uuid) {
    return database.read(
        sql ->
            sql.first(
                "select namespace, name from lh_table where table_uuid = ?",
                row -> TableIdentifier.of(Names.namespace(row.getString(1)), row.getString(2)),
                uuid));
  }

  List<TableIdentifier> list(Namespace namespace) {
    String stored = Names.stored(namespace);
    return database.read(
        sql -> {
          NamespaceStore.requireExists(sql, stored, namespace);
          return sql.list(
              "select name from lh_table where namespace = ? order by name",
              row -> TableIdentifier.of(namespace, row.getString(1)),
              stored);
        });
  }

  /**
   * Moves all pointers or none, with the changes of the index. Whatever this throws, nothing was
   * done; only the outcome Unknown leaves that open.
   */
  CommitOutcome commit(List<PointerSwap> swaps) {
    return commit(swaps, sql -> {});
  }

  /** {@link #commit} of a new table in the place of the one that has its name. */
  CommitOutcome replace(PointerSwap created) {
    return commit(List.of(created), sql -> drop(sql, created.table()));
  }

  /** What a commit does first. */
  @FunctionalInterface
  private interface Preparation {
    void run(Sql sql) throws SQLException;
  }

  private CommitOutcome commit(List<PointerSwap> swaps, Preparation preparation) {
    List<PointerSwap> ordered = new ArrayList<>(swaps);
    // One order for all, so that two commits over several tables cannot wait for each other.
    ordered.sort(Comparator.comparing(swap -> swap.table().toString()));
    try {
      return database.write(
          sql -> {
            preparation.run(sql);
            for (PointerSwap swap : ordered) {
              Optional<String> refusal = move(sql, swap);
              if (refusal.isPresent()) {
                throw new Refused(refusal.get());
              }
            }
            return new CommitOutcome.Committed();
          });
    } catch (Refused e) {
      return new CommitOutcome.Conflict(String.valueOf(e.getMessage()));
    } catch (TransactionFailure e) {
      return switch (e.kind()) {
        case UNKNOWN -> new CommitOutcome.Unknown(e);
        case CONFLICT, REFERENCE -> new CommitOutcome.Conflict(String.valueOf(e.getMessage()));
        case DUPLICATE ->
            throw new AlreadyExistsException(e, "Table already exists: %s", names(ordered));
      };
    }
  }

  /**
   * Where a table's pointer stands once no transaction changes it any more; empty if there is no
   * such table, whatever its name.
   *
   * @throws dev.varve.layout.error.VarveException when the database cannot be asked, or a
   *     transaction holds the table
   */
  Optional<String> locked(PointerSwap swap) {
    return database.read(
        sql -> {
          if (swap.from().isEmpty()) {
            // Who creates a table holds its namespace.
            sql.first(
                "select namespace from lh_namespace where namespace = ? for update nowait",
                row -> row.getString(1),
                Names.stored(swap.table().namespace()));
          }
          return sql.first(
              "select metadata_location from lh_table where table_uuid = ? for update nowait",
              row -> row.getString(1),
              swap.tableUuid());
        });
  }

  private static boolean drop(Sql sql, TableIdentifier table) throws SQLException {
    Optional<Row> row = find(sql, table, true);
    if (row.isEmpty()) {
      return false;
    }
    IndexWriter.drop(sql, row.get().tableId(), row.get().tableUuid());
    sql.update("delete from lh_table where table_id = ?", row.get().tableId());
    return true;
  }

  /** What else a transaction does. */
  @FunctionalInterface
  interface Along {
    void run(Sql sql) throws SQLException;
  }

  /**
   * Drops a table if its metadata is where the caller saw it.
   *
   * @param seen null drops it wherever its metadata is
   * @param along done in the same transaction, if the table is dropped
   * @return empty if the metadata has moved on; else whether there was a table
   */
  Optional<Boolean> drop(TableIdentifier table, @Nullable String seen, Along along) {
    return database.write(
        sql -> {
          Optional<Row> row = find(sql, table, true);
          if (row.isEmpty()) {
            return Optional.of(false);
          }
          if (seen != null && !seen.equals(row.get().metadataLocation())) {
            return Optional.empty();
          }
          along.run(sql);
          return Optional.of(drop(sql, table));
        });
  }

  void rename(TableIdentifier from, TableIdentifier to) {
    try {
      database.write(
          sql -> {
            Row row =
                find(sql, from, true)
                    .orElseThrow(() -> new NoSuchTableException("Table does not exist: %s", from));
            String namespace = Names.stored(to.namespace());
            NamespaceStore.lock(sql, namespace, to.namespace());
            if (ViewStore.exists(sql, to)) {
              throw new AlreadyExistsException(
                  "Cannot rename %s to %s. View already exists", from, to);
            }
            sql.update(
                "update lh_table set namespace = ?, name = ? where table_id = ?",
                namespace,
                Names.stored(to),
                row.tableId());
            return null;
          });
    } catch (TransactionFailure e) {
      if (e.kind() == Kind.DUPLICATE) {
        throw new AlreadyExistsException(e, "Table already exists: %s", to);
      }
      throw e;
    }
  }

  /** Returns why a pointer cannot be moved. */
  private static Optional<String> move(Sql sql, PointerSwap swap) throws SQLException {
    String namespace = Names.stored(swap.table().namespace());
    String name = Names.stored(swap.table());
    if (swap.from().isEmpty()) {
      NamespaceStore.lock(sql, namespace, swap.table().namespace());
      if (ViewStore.exists(sql, swap.table())) {
        throw new AlreadyExistsException("View with same name already exists: %s", swap.table());
      }
      long tableId =
          sql.insert(
              "insert into lh_table(namespace, name, table_uuid, metadata_location, seq,"
                  + " next_file_id, next_line_id) values (?,?,?,?,0,1,1)",
              "table_id",
              namespace,
              name,
              swap.tableUuid(),
              swap.to());
      IndexWriter.apply(sql, tableId, swap.index());
      JdbcUploadLog.settle(sql, swap.uploads());
      return Optional.empty();
    }
    int moved =
        sql.update(
            "update lh_table set metadata_location = ?, previous_metadata_location = ?"
                + " where namespace = ? and name = ? and metadata_location = ?",
            swap.to(),
            swap.from().get(),
            namespace,
            name,
            swap.from().get());
    Optional<Row> row = find(sql, swap.table(), false);
    if (row.isEmpty()) {
      throw new NoSuchTableException("Table does not exist: %s", swap.table());
    }
    if (moved == 0) {
      return Optional.of(
          "table "
              + swap.table()
              + " was changed by another commit: its metadata is now at "
              + row.get().metadataLocation());
    }
    IndexWriter.apply(sql, row.get().tableId(), swap.index());
    JdbcUploadLog.settle(sql, swap.uploads());
    return Optional.empty();
  }

  static boolean exists(Sql sql, TableIdentifier table) throws SQLException {
    return find(sql, table, false).isPresent();
  }

  private static Optional<Row> find(Sql sql, TableIdentifier table, boolean lock)
      throws SQLException {
    return sql.first(
        "select table_id, table_uuid, metadata_location from lh_table"
            + " where namespace = ? and name = ?"
            + (lock ? " for update" : ""),
        row -> new Row(row.getLong(1), row.getString(2), row.getString(3)),
        Names.stored(table.namespace()),
        Names.stored(table));
  }

  private static String names(List<PointerSwap> swaps) {
    return String.join(", ", swaps.stream().map(swap -> swap.table().toString()).toList());
  }

  /** Ends the transaction of a commit that another one came before. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String reason) {
      super(reason);
    }
  }
}
