package dev.varve.catalog.table;

import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import dev.varve.catalog.store.TransactionFailure;
import dev.varve.catalog.store.TransactionFailure.Kind;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;

/** Namespaces in the database. Safe for concurrent use. */
final class NamespaceStore {
  private final Database database;

  NamespaceStore(Database database) {
    this.database = database;
  }

  void create(Namespace namespace, Map<String, String> properties) {
    String stored = Names.stored(namespace);
    String parent = namespace.length() > 1 ? Names.stored(Names.parent(namespace)) : null;
    try {
      database.write(
          sql -> {
            if (parent != null && !exists(sql, parent)) {
              throw new NoSuchNamespaceException(
                  "Namespace does not exist: %s", Names.parent(namespace));
            }
            sql.update("insert into lh_namespace(namespace, parent) values (?, ?)", stored, parent);
            set(sql, stored, properties);
            return null;
          });
    } catch (TransactionFailure e) {
      if (e.kind() == Kind.DUPLICATE) {
        throw new AlreadyExistsException(e, "Namespace already exists: %s", namespace);
      }
      throw e;
    }
  }

  List<Namespace> list(Namespace parent) {
    return database.read(
        sql -> {
          if (parent.isEmpty()) {
            return sql.list(
                "select namespace from lh_namespace where parent is null order by namespace",
                row -> Names.namespace(row.getString(1)));
          }
          String stored = Names.stored(parent);
          requireExists(sql, stored, parent);
          return sql.list(
              "select namespace from lh_namespace where parent = ? order by namespace",
              row -> Names.namespace(row.getString(1)),
              stored);
        });
  }

  boolean exists(Namespace namespace) {
    return !namespace.isEmpty() && database.read(sql -> exists(sql, Names.stored(namespace)));
  }

  Map<String, String> properties(Namespace namespace) {
    String stored = Names.stored(namespace);
    return database.read(
        sql -> {
          requireExists(sql, stored, namespace);
          Map<String, String> properties = new HashMap<>();
          sql.list(
              "select property_key, property_value from lh_namespace_property where namespace = ?",
              row -> properties.put(row.getString(1), row.getString(2)),
              stored);
          return properties;
        });
  }

  /** Returns false when there was none. */
  boolean drop(Namespace namespace) {
    String stored = Names.stored(namespace);
    try {
      return database.write(
          sql -> sql.update("delete from lh_namespace where namespace = ?", stored) > 0);
    } catch (TransactionFailure e) {
      if (e.kind() == Kind.REFERENCE) {
        throw new NamespaceNotEmptyException(e, "Namespace is not empty: %s", namespace);
      }
      throw e;
    }
  }

  boolean setProperties(Namespace namespace, Map<String, String> properties) {
    String stored = Names.stored(namespace);
    return database.write(
        sql -> {
          lock(sql, stored, namespace);
          remove(sql, stored, properties.keySet());
          set(sql, stored, properties);
          return !properties.isEmpty();
        });
  }

  boolean removeProperties(Namespace namespace, Set<String> keys) {
    String stored = Names.stored(namespace);
    return database.write(
        sql -> {
          lock(sql, stored, namespace);
          return remove(sql, stored, keys) > 0;
        });
  }

  static void requireExists(Sql sql, String stored, Namespace namespace) throws SQLException {
    if (!exists(sql, stored)) {
      throw new NoSuchNamespaceException("Namespace does not exist: %s", namespace);
    }
  }

  private static boolean exists(Sql sql, String stored) throws SQLException {
    return sql.first(
            "select namespace from lh_namespace where namespace = ?",
            row -> row.getString(1),
            stored)
        .isPresent();
  }

  /** Holds the namespace's row until the transaction ends. */
  static void lock(Sql sql, String stored, Namespace namespace) throws SQLException {
    boolean exists =
        sql.first(
                "select namespace from lh_namespace where namespace = ? for update",
                row -> row.getString(1),
                stored)
            .isPresent();
    if (!exists) {
      throw new NoSuchNamespaceException("Namespace does not exist: %s", namespace);
    }
  }

  private static void set(Sql sql, String stored, Map<String, String> properties)
      throws SQLException {
    for (Map.Entry<String, String> property : properties.entrySet()) {
      sql.update(
          "insert into lh_namespace_property(namespace, property_key, property_value)"
              + " values (?,?,?)",
          stored,
          property.getKey(),
          property.getValue());
    }
  }

  private static int remove(Sql sql, String stored, Set<String> keys) throws SQLException {
    int removed = 0;
    for (String key : keys) {
      removed +=
          sql.update(
              "delete from lh_namespace_property where namespace = ? and property_key = ?",
              stored,
              key);
    }
    return removed;
  }
}
