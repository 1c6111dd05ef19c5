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
