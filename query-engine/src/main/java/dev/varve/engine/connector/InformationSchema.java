package dev.varve.engine.connector;

import dev.varve.engine.source.Connector;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.source.ViewDefinition;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The views of the SQL standard on one catalog: schemata, tables, columns, views. */
final class InformationSchema {
  static final String NAME = "information_schema";

  private static final Schema SCHEMATA =
      Schema.of(
          Field.of("catalog_name", DataType.VARCHAR), Field.of("schema_name", DataType.VARCHAR));
  private static final Schema TABLES =
      Schema.of(
          Field.of("table_catalog", DataType.VARCHAR),
          Field.of("table_schema", DataType.VARCHAR),
          Field.of("table_name", DataType.VARCHAR),
          Field.of("table_type", DataType.VARCHAR));
  private static final Schema COLUMNS =
      Schema.of(
          Field.of("table_catalog", DataType.VARCHAR),
          Field.of("table_schema", DataType.VARCHAR),
          Field.of("table_name", DataType.VARCHAR),
          Field.of("column_name", DataType.VARCHAR),
          Field.of("ordinal_position", DataType.INTEGER),
          Field.of("is_nullable", DataType.VARCHAR),
          Field.of("data_type", DataType.VARCHAR));

  private static final Schema VIEWS =
      Schema.of(
          Field.of("table_catalog", DataType.VARCHAR),
          Field.of("table_schema", DataType.VARCHAR),
          Field.of("table_name", DataType.VARCHAR),
          Field.of("view_definition", DataType.VARCHAR));

  private final String catalog;
  private final Connector connector;

  InformationSchema(String catalog, Connector connector) {
    this.catalog = catalog;
    this.connector = connector;
  }

  static List<String> tables() {
    return List.of("columns", "schemata", "tables", "views");
  }

  Optional<SourceTable> table(String name) {
    return switch (name) {
      case "schemata" -> Optional.of(new MemoryTable(SCHEMATA, this::schemataRows));
      case "tables" -> Optional.of(new MemoryTable(TABLES, this::tableRows));
      case "views" -> Optional.of(new MemoryTable(VIEWS, this::viewRows));
      case "columns" -> Optional.of(new MemoryTable(COLUMNS, this::columnRows));
      default -> Optional.empty();
    };
  }

  private List<String> schemas() {
    List<String> all = new ArrayList<>(connector.schemas());
    all.add(NAME);
    return all;
  }

  private List<List<@Nullable Object>> schemataRows() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    schemas().forEach(schema -> rows.add(List.of(catalog, schema)));
    return rows;
  }

  private List<List<@Nullable Object>> tableRows() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (String schema : connector.schemas()) {
      for (String table : connector.tables(schema)) {
        rows.add(List.of(catalog, schema, table, "BASE TABLE"));
      }
      connector.views(schema).forEach(view -> rows.add(List.of(catalog, schema, view, "VIEW")));
    }
    tables().forEach(view -> rows.add(List.of(catalog, NAME, view, "VIEW")));
    return rows;
  }

  private List<List<@Nullable Object>> viewRows() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (String schema : connector.schemas()) {
      for (String view : connector.views(schema)) {
        readable(schema, view).ifPresent(v -> rows.add(List.of(catalog, schema, view, v.sql())));
      }
    }
    return rows;
  }

  /** Empty for a view in the SQL of another engine, which must not hide all others. */
  private Optional<ViewDefinition> readable(String schema, String view) {
    try {
      return connector.view(schema, view);
    } catch (VarveException e) {
      if (e.code() == ErrorCode.FEATURE_NOT_SUPPORTED) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private List<List<@Nullable Object>> columnRows() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (String schema : connector.schemas()) {
      for (String table : connector.tables(schema)) {
        connector.table(schema, table).ifPresent(t -> addColumns(rows, schema, table, t.schema()));
      }
      for (String view : connector.views(schema)) {
        readable(schema, view).ifPresent(v -> addColumns(rows, schema, view, v.columns()));
      }
    }
    tables().forEach(view -> table(view).ifPresent(t -> addColumns(rows, NAME, view, t.schema())));
    return rows;
  }

  private void addColumns(
      List<List<@Nullable Object>> rows, String schema, String table, Schema columns) {
    for (int i = 0; i < columns.size(); i++) {
      Field field = columns.field(i);
      rows.add(
          List.of(
              catalog,
              schema,
              table,
              field.name(),
              i + 1,
              field.nullable() ? "YES" : "NO",
              field.type().toString()));
    }
  }
}
