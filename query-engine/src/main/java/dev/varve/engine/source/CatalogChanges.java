package dev.varve.engine.source;

import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;

/** DDL on a catalog. */
public interface CatalogChanges {
  /** A key of ORDERED BY. */
  record OrderKey(String column, SortOptions options) {}

  /**
   * A table to be made.
   *
   * @param textLengths the most characters of columns declared VARCHAR(n)
   */
  record NewTable(
      String schema,
      String name,
      List<Field> columns,
      Map<String, Integer> textLengths,
      List<OrderKey> orderedBy,
      Map<String, String> options) {
    public NewTable {
      columns = List.copyOf(columns);
      textLengths = Map.copyOf(textLengths);
      orderedBy = List.copyOf(orderedBy);
      options = Map.copyOf(options);
    }
  }

  /**
   * A new view.
   *
   * @param catalog where its definer is
   */
  record NewView(
      String schema,
      String name,
      List<Field> columns,
      String sql,
      String catalog,
      String definerSchema) {
    public NewView {
      columns = List.copyOf(columns);
    }
  }

  void createSchema(String schema, boolean ifNotExists);

  /** SCHEMA_NOT_EMPTY if it has tables and not {@code cascade}. */
  void dropSchema(String schema, boolean ifExists, boolean cascade);

  /** Creates an empty table; answers false if it was there already and {@code ifNotExists}. */
  boolean createTable(NewTable table, boolean ifNotExists);

  /** The type in which a column of a new table is stored: the same, or a wider one. */
  DataType storedType(DataType type);

  /** Begins the creation of a table that appears with its first data (CTAS). */
  Transaction beginCreateTable(NewTable table);

  void dropTable(String schema, String table, boolean ifExists);

  /** Does nothing if the view is there already and {@code ifNotExists}. */
  void createView(NewView view, boolean orReplace, boolean ifNotExists);

  void dropView(String schema, String view, boolean ifExists);

  /** The Iceberg table to insert into; UNDEFINED_TABLE if there is none. */
  Table icebergTable(String schema, String table);
}
