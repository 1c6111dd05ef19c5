package dev.varve.engine.statement;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.port.AccessControl.Privilege;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.source.CatalogChanges;
import dev.varve.engine.source.CatalogChanges.OrderKey;
import dev.varve.engine.sql.QualifiedName;
import dev.varve.engine.sql.Statement;
import dev.varve.engine.sql.Suggestions;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** CREATE and DROP of schemas and tables. */
final class SchemaStatements {
  private final StatementServices services;

  SchemaStatements(StatementServices services) {
    this.services = services;
  }

  Prepared createSchema(Statement.CreateSchema statement, StatementContext context) {
    ObjectName schema = context.resolveSchema(statement.name());
    context.check(Privilege.CREATE, schema);
    return change(
        "CREATE SCHEMA",
        statement.name(),
        schema,
        catalog -> catalog.createSchema(schema.schema(), statement.ifNotExists()));
  }

  Prepared dropSchema(Statement.DropSchema statement, StatementContext context) {
    ObjectName schema = context.resolveSchema(statement.name());
    context.check(Privilege.DROP, schema);
    return change(
        "DROP SCHEMA",
        statement.name(),
        schema,
        catalog -> catalog.dropSchema(schema.schema(), statement.ifExists(), statement.cascade()));
  }

  Prepared createTable(Statement.CreateTable statement, StatementContext context) {
    ObjectName table = context.resolve(statement.name());
    context.check(Privilege.CREATE, table);
    Set<String> names = new HashSet<>();
    for (Statement.ColumnDefinition column : statement.columns()) {
      if (!names.add(column.name())) {
        throw new VarveException(
            ErrorCode.DUPLICATE_COLUMN,
            "column '" + column.name() + "' is twice in the new table " + table,
            column.position(),
            null,
            null);
      }
    }
    for (Statement.OrderKey key : statement.orderedBy()) {
      if (!names.contains(key.column())) {
        throw new VarveException(
            ErrorCode.UNDEFINED_COLUMN,
            "column '" + key.column() + "' of ORDERED BY is not in the new table " + table,
            key.position(),
            Suggestions.hint(key.column(), names),
            null);
      }
    }
    CatalogChanges.NewTable newTable =
        new CatalogChanges.NewTable(
            table.schema(),
            table.table(),
            statement.columns().stream()
                .map(c -> Field.of(c.name(), c.type(), !c.notNull()))
                .toList(),
            textLengths(statement.columns()),
            orderKeys(statement.orderedBy()),
            statement.options());
    return change(
        "CREATE TABLE",
        statement.name(),
        table,
        catalog -> catalog.createTable(newTable, statement.ifNotExists()));
  }

  private static Map<String, Integer> textLengths(List<Statement.ColumnDefinition> columns) {
    Map<String, Integer> lengths = new HashMap<>();
    for (Statement.ColumnDefinition column : columns) {
      column.textLength().ifPresent(length -> lengths.put(column.name(), length));
    }
    return lengths;
  }

  Prepared dropTable(Statement.DropTable statement, StatementContext context) {
    ObjectName table = context.resolve(statement.name());
    context.check(Privilege.DROP, table);
    return change(
        "DROP TABLE",
        statement.name(),
        table,
        catalog -> catalog.dropTable(table.schema(), table.table(), statement.ifExists()));
  }

  Prepared createView(Statement.CreateView statement, StatementContext context) {
    ObjectName view = context.resolve(statement.name());
    context.check(Privilege.CREATE, view);
    Schema query =
        services.logicalPlanner().viewColumns(statement.query(), context, view.toString());
    CatalogChanges.NewView newView =
        new CatalogChanges.NewView(
            view.schema(),
            view.table(),
            viewColumns(statement, view, query),
            statement.text(),
            context.catalog(),
            context.schema());
    return change(
        "CREATE VIEW",
        statement.name(),
        view,
        catalog -> catalog.createView(newView, statement.orReplace(), statement.ifNotExists()));
  }

  /** The query's columns, under the names that the statement gives them. */
  private static List<Field> viewColumns(
      Statement.CreateView statement, ObjectName view, Schema query) {
    List<QualifiedName> names = statement.columns();
    if (!names.isEmpty() && names.size() != query.size()) {
      throw new VarveException(
          ErrorCode.INVALID_VIEW,
          "view " + view + " names " + names.size() + " columns, but its query has " + query.size(),
          names.getFirst().position(),
          null,
          null);
    }
    Set<String> seen = new HashSet<>();
    List<Field> columns = new ArrayList<>();
    for (int i = 0; i < query.size(); i++) {
      Field field = query.field(i);
      String name = names.isEmpty() ? field.name() : names.get(i).last();
      if (!seen.add(name)) {
        throw new VarveException(
            ErrorCode.DUPLICATE_COLUMN,
            "column '" + name + "' is twice in the new view " + view,
            names.isEmpty() ? statement.start() : names.get(i).position(),
            "name the columns: CREATE VIEW " + view.table() + " (a, b) AS ...",
            null);
      }
      columns.add(Field.of(name, field.type(), field.nullable()));
    }
    return columns;
  }

  Prepared dropView(Statement.DropView statement, StatementContext context) {
    ObjectName view = context.resolve(statement.name());
    context.check(Privilege.DROP, view);
    return change(
        "DROP VIEW",
        statement.name(),
        view,
        catalog -> catalog.dropView(view.schema(), view.table(), statement.ifExists()));
  }

  static List<OrderKey> orderKeys(List<Statement.OrderKey> keys) {
    return keys.stream()
        .map(k -> new OrderKey(k.column(), new SortOptions(k.descending(), k.nullsFirst())))
        .toList();
  }

  private interface Change {
    void apply(CatalogChanges catalog);
  }

  private Prepared change(String tag, QualifiedName name, ObjectName object, Change change) {
    try {
      change.apply(services.catalogs().changes(object.catalog()));
    } catch (VarveException e) {
      throw e.at(name.position());
    }
    return new Prepared.Answer(tag, Batch.empty(Schema.EMPTY), Optional.empty());
  }
}
