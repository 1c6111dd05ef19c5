package dev.varve.service.postgres.catalog;

import dev.varve.service.postgres.ServerVersion;
import dev.varve.service.postgres.WireTypes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's functions that tools use on its catalog. They are called by the database, which
 * finds them by their names; a parameter of type Connection is the database itself.
 */
public final class CatalogFunctions {
  private CatalogFunctions() {}

  private static @Nullable String one(Connection database, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = database.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getString(1) : null;
      }
    }
  }

  private static String here(Connection database, String what) throws SQLException {
    return String.valueOf(one(database, "SELECT " + what + " FROM pg_catalog.varve_session"));
  }

  public static String database(Connection database) throws SQLException {
    return here(database, "datname");
  }

  public static String schema(Connection database) throws SQLException {
    return here(database, "nspname");
  }

  public static String user(Connection database) throws SQLException {
    return here(database, "rolname");
  }

  public static String[] schemas(Connection database, boolean implicit) throws SQLException {
    String own = schema(database);
    return implicit ? new String[] {"pg_catalog", own} : new String[] {own};
  }

  public static String version() {
    return ServerVersion.TEXT;
  }

  public static String userById(Connection database, @Nullable Integer oid) throws SQLException {
    return user(database);
  }

  public static boolean isVisible(Connection database, @Nullable Integer oid) throws SQLException {
    return oid != null
        && one(
                database,
                "SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n"
                    + " ON n.oid = c.relnamespace JOIN pg_catalog.varve_session s"
                    + " ON n.nspname = s.nspname WHERE c.oid = ?",
                oid)
            != null;
  }

  public static boolean yes(@Nullable Integer oid) {
    return true;
  }

  /** Privileges are checked when a statement runs. */
  public static boolean may(@Nullable String object, @Nullable String privilege) {
    return true;
  }

  public static boolean may(
      @Nullable String user, @Nullable String object, @Nullable String privilege) {
    return true;
  }

  public static boolean no() {
    return false;
  }

  public static @Nullable Integer regclass(Connection database, @Nullable String name)
      throws SQLException {
    if (name == null) {
      return null;
    }
    String[] parts = name.replace("\"", "").split("\\.", 2);
    String found =
        parts.length == 2
            ? one(
                database,
                "SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n"
                    + " ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relname = ?",
                parts[0],
                parts[1])
            : one(
                database,
                "SELECT c.oid FROM pg_catalog.pg_class c WHERE c.relname = ?"
                    + " ORDER BY pg_catalog.pg_table_is_visible(c.oid) DESC",
                name.replace("\"", ""));
    return found == null ? null : Integer.valueOf(found);
  }

  public static @Nullable String formatType(@Nullable Integer oid, @Nullable Integer modifier) {
    if (oid == null) {
      return null;
    }
    return switch (oid) {
      case WireTypes.BOOL -> "boolean";
      case WireTypes.BYTEA -> "bytea";
      case WireTypes.NAME -> "name";
      case WireTypes.INT8 -> "bigint";
      case WireTypes.INT2 -> "smallint";
      case WireTypes.INT4 -> "integer";
      case WireTypes.TEXT -> "text";
      case WireTypes.OID -> "oid";
      case WireTypes.FLOAT4 -> "real";
      case WireTypes.FLOAT8 -> "double precision";
      case WireTypes.UNKNOWN -> "unknown";
      case WireTypes.BPCHAR -> "character";
      case WireTypes.VARCHAR -> "character varying";
      case WireTypes.DATE -> "date";
      case WireTypes.TIME -> "time without time zone";
      case WireTypes.TIMESTAMP -> "timestamp without time zone";
      case WireTypes.TIMESTAMPTZ -> "timestamp with time zone";
      case WireTypes.INTERVAL -> "interval";
      case WireTypes.UUID -> "uuid";
      case WireTypes.NUMERIC ->
          modifier == null || modifier < 4
              ? "numeric"
              : "numeric(" + (modifier - 4 >> 16) + "," + (modifier - 4 & 0xFFFF) + ")";
      default -> "-";
    };
  }

  public static String encoding(@Nullable Integer code) {
    return "UTF8";
  }

  /** Of arrays of privileges and options, which nothing here has. */
  public static @Nullable String arrayToString(String @Nullable [] array, String separator) {
    return array == null ? null : String.join(separator, array);
  }

  public static @Nullable Integer arrayUpper(String @Nullable [] array, int dimension) {
    return array == null || array.length == 0 ? null : array.length;
  }

  /** Of expressions, comments and definitions, which nothing here has. */
  public static @Nullable String none(@Nullable String ignored) {
    return null;
  }

  public static @Nullable String none(@Nullable String ignored, @Nullable String too) {
    return null;
  }

  public static @Nullable String none(
      @Nullable String ignored, @Nullable String too, @Nullable Boolean pretty) {
    return null;
  }

  public static @Nullable String viewDefinition(Connection database, @Nullable Integer oid)
      throws SQLException {
    return oid == null
        ? null
        : one(database, "SELECT definition FROM pg_catalog.pg_views WHERE oid = ?", oid);
  }

  public static @Nullable String viewDefinition(
      Connection database, @Nullable Integer oid, @Nullable Boolean pretty) throws SQLException {
    return viewDefinition(database, oid);
  }

  public static @Nullable String setting(Connection database, String name) throws SQLException {
    return one(database, "SELECT setting FROM pg_catalog.pg_settings WHERE name = lower(?)", name);
  }

  public static @Nullable String setting(Connection database, String name, boolean missing)
      throws SQLException {
    return setting(database, name);
  }
}
