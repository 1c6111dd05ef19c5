package dev.varve.catalog.table;

import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import dev.varve.catalog.store.TransactionFailure;
import dev.varve.catalog.store.TransactionFailure.Kind;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NoSuchViewException;

/** Pointers to views' metadata in the database. Safe for concurrent use. */
final class ViewStore {
  private final Database database;

  ViewStore(Database database) {
    this.database = database;
  }

  /** Where a view's current metadata lies. */
  Optional<String> find(TableIdentifier view) {
    if (view.namespace().isEmpty()) {
      return Optional.empty();
    }
    return database.read(sql -> find(sql, view));
  }

  List<TableIdentifier> list(Namespace namespace) {
    String stored = Names.stored(namespace);
    return database.read(
        sql -> {
          NamespaceStore.requireExists(sql, stored, namespace);
          return sql.list(
              "select name from lh_view where namespace = ? order by name",
              row -> TableIdentifier.of(namespace, row.getString(1)),
              stored);
        });
  }

  /**
   * Moves the pointer from one metadata file to another; from none to create the view. Whatever
   * this throws, nothing was done; only the outcome Unknown leaves that open.
   */
  CommitOutcome commit(TableIdentifier view, String uuid, Optional<String> from, String to) {
    try {
      return database.write(
          sql -> {
            if (from.isEmpty()) {
              create(sql, view, uuid, to);
              return new CommitOutcome.Committed();
            }
            return move(sql, view, from.get(), to);
          });
    } catch (TransactionFailure e) {
      return switch (e.kind()) {
        case UNKNOWN -> new CommitOutcome.Unknown(e);
        case CONFLICT, REFERENCE -> new CommitOutcome.Conflict(String.valueOf(e.getMessage()));
        case DUPLICATE -> throw new AlreadyExistsException(e, "View already exists: %s", view);
      };
    }
  }

  private static void create(Sql sql, TableIdentifier view, String uuid, String to)
      throws SQLException {
    NamespaceStore.lock(sql, Names.stored(view.namespace()), view.namespace());
    if (TableStore.exists(sql, view)) {
      throw new AlreadyExistsException("Table with same name already exists: %s", view);
    }
    sql.update(
        "insert into lh_view(namespace, name, view_uuid, metadata_location) values (?,?,?,?)",
        Names.stored(view.namespace()),
        Names.stored(view),
        uuid,
        to);
  }

  private static CommitOutcome move(Sql sql, TableIdentifier view, String from, String to)
      throws SQLException {
    int moved =
        sql.update(
            "update lh_view set metadata_location = ?, previous_metadata_location = ?"
                + " where namespace = ? and name = ? and metadata_location = ?",
            to,
            from,
            Names.stored(view.namespace()),
            Names.stored(view),
            from);
    if (moved > 0) {
      return new CommitOutcome.Committed();
    }
    String now =
        find(sql, view).orElseThrow(() -> new NoSuchViewException("View does not exist: %s", view));
    return new CommitOutcome.Conflict(
        "view " + view + " was changed by another commit: its metadata is now at " + now);
  }

  boolean drop(TableIdentifier view) {
    return database.write(
        sql ->
            sql.update(
                    "delete from lh_view where namespace = ? and name = ?",
                    Names.stored(view.namespace()),
                    Names.stored(view))
                > 0);
  }

  void rename(TableIdentifier from, TableIdentifier to) {
    try {
      database.write(
          sql -> {
            if (find(sql, from).isEmpty()) {
              throw new NoSuchViewException("View does not exist: %s", from);
            }
            NamespaceStore.lock(sql, Names.stored(to.namespace()), to.namespace());
            if (TableStore.exists(sql, to)) {
              throw new AlreadyExistsException(
                  "Cannot rename %s to %s. Table already exists", from, to);
            }
            sql.update(
                "update lh_view set namespace = ?, name = ? where namespace = ? and name = ?",
                Names.stored(to.namespace()),
                Names.stored(to),
                Names.stored(from.namespace()),
                Names.stored(from));
            return null;
          });
    } catch (TransactionFailure e) {
      if (e.kind() == Kind.DUPLICATE) {
        throw new AlreadyExistsException(
            e, "Cannot rename %s to %s. View already exists", from, to);
      }
      throw e;
    }
  }

  static boolean exists(Sql sql, TableIdentifier view) throws SQLException {
    return find(sql, view).isPresent();
  }

  private static Optional<String> find(Sql sql, TableIdentifier view) throws SQLException {
    return sql.first(
        "select metadata_location from lh_view where namespace = ? and name = ?",
        row -> row.getString(1),
        Names.stored(view.namespace()),
        Names.stored(view));
  }
}
