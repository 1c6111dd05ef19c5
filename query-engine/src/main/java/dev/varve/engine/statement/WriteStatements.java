package dev.varve.engine.statement;

import dev.varve.engine.connector.MemoryTable;
import dev.varve.engine.connector.lake.TextColumns;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.FunctionExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.function.TextLengthFunction;
import dev.varve.engine.logical.LogicalPlan;
import dev.varve.engine.operator.DataSinkExec;
import dev.varve.engine.operator.ProjectionExec;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.port.AccessControl.Privilege;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.port.SinkFactory.CopyTarget;
import dev.varve.engine.port.SinkFactory.InsertTarget;
import dev.varve.engine.port.SinkPlan;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.source.CatalogChanges;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.sql.QualifiedName;
import dev.varve.engine.sql.Statement;
import dev.varve.engine.sql.Suggestions;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;

/** Statements that write rows: INSERT, CREATE TABLE AS, COPY. */
final class WriteStatements {
  private final StatementServices services;
  private final QueryStatements queries;

  WriteStatements(StatementServices services, QueryStatements queries) {
    this.services = services;
    this.queries = queries;
  }

  Prepared insert(Statement.Insert statement, StatementContext context) {
    Target target = target(statement.table(), context);
    return insert("INSERT", target, statement.source(), statement.columns(), context);
  }

  /** The types of the statement's parameters: a value of its own has the type of its column. */
  List<DataType> parameters(Statement.Insert statement, StatementContext context) {
    Target target = target(statement.table(), context);
    return services
        .logicalPlanner()
        .insertParameters(statement.source(), target.schema(), statement.columns(), context);
  }

  /** The columns of the files go into the table's columns of the same names. */
  Prepared copyFrom(Statement.CopyFrom statement, StatementContext context) {
    if (!statement.options().isEmpty()) {
      throw unknownOption(statement.options(), "COPY FROM a Parquet file takes none", statement);
    }
    Target target = target(statement.table(), context);
    SourceTable files = context.files(statement.path());
    List<QualifiedName> columns = new ArrayList<>();
    for (Field field : files.schema().fields()) {
      if (target.schema().indexOf(field.name()) < 0) {
        throw new VarveException(
            ErrorCode.UNDEFINED_COLUMN,
            "column '"
                + field.name()
                + "' of "
                + statement.path()
                + " is not in the table "
                + target.name(),
            statement.position(),
            Suggestions.hint(
                field.name(), target.schema().fields().stream().map(Field::name).toList()),
            null);
      }
      columns.add(new QualifiedName(List.of(field.name()), statement.position()));
    }
    Statement read =
        services.frontEnd().parse("SELECT * FROM '" + statement.path().replace("'", "''") + "'");
    if (!(read instanceof Statement.Query query)) {
      throw new IllegalStateException("a SELECT was parsed as " + read);
    }
    return insert("COPY", target, query.query(), columns, context);
  }

  private record Target(ObjectName name, CatalogChanges catalog, Schema schema) {}

  private Target target(QualifiedName table, StatementContext context) {
    ObjectName name = context.resolve(table);
    context.check(Privilege.INSERT, name);
    Schema schema = context.table(table).schema();
    return new Target(name, services.catalogs().changes(name.catalog()), schema);
  }

  private Prepared insert(
      String tag,
      Target target,
      SqlNode source,
      List<QualifiedName> columns,
      StatementContext context) {
    LogicalPlan logical =
        services
            .logicalPlanner()
            .planInsert(
                source,
                target.schema(),
                columns,
                context,
                context.parameters(),
                context.session().settings());
    PhysicalPlan input = queries.physical(logical, context);
    Table table = target.catalog().icebergTable(target.name().schema(), target.name().table());
    SinkPlan sink =
        services.sinks().insert(new InsertTarget(table, Optional.empty(), input.schema()));
    return run(tag, limitLengths(input, TextColumns.lengths(table)), sink, context);
  }

  /** Refuses texts that are longer than their column's VARCHAR(n). */
  private static PhysicalPlan limitLengths(PhysicalPlan input, Map<String, Integer> lengths) {
    List<NamedExpr> columns = new ArrayList<>();
    boolean limited = false;
    for (int i = 0; i < input.schema().size(); i++) {
      Field field = input.schema().field(i);
      PhysicalExpr column = ColumnExpr.of(input.schema(), i);
      Integer most = lengths.get(field.name());
      if (most != null && field.type().equals(DataType.VARCHAR)) {
        limited = true;
        column =
            new FunctionExpr(
                new TextLengthFunction(most, field.name()), List.of(column), DataType.VARCHAR);
      }
      columns.add(new NamedExpr(column, field.name()));
    }
    return limited ? new ProjectionExec(input, columns) : input;
  }

  Prepared createTableAs(Statement.CreateTableAs statement, StatementContext context) {
    ObjectName name = context.resolve(statement.name());
    context.check(Privilege.CREATE, name);
    CatalogChanges catalog = services.catalogs().changes(name.catalog());
    if (statement.ifNotExists() && services.catalogs().table(name).isPresent()) {
      return new Prepared.Answer(
          "CREATE TABLE AS",
          MemoryTable.toBatch(
              Schema.of(Field.of("rows", DataType.BIGINT, false)), List.of(List.of(0L))),
          Optional.empty());
    }
    LogicalPlan logical = queries.logical(statement.query(), context);
    PhysicalPlan input = queries.physical(logical, context);
    List<Field> columns = new ArrayList<>();
    for (Field field : logical.schema().fields()) {
      if (columns.stream().anyMatch(c -> c.name().equals(field.name()))) {
        throw new VarveException(
            ErrorCode.DUPLICATE_COLUMN,
            "column '" + field.name() + "' is twice in the new table " + name,
            statement.position(),
            "name the columns of the query with AS",
            null);
      }
      columns.add(Field.of(field.name(), catalog.storedType(field.type()), true));
    }
    PhysicalPlan stored = convert(input, new Schema(columns));
    Transaction transaction =
        catalog.beginCreateTable(
            new CatalogChanges.NewTable(
                name.schema(),
                name.table(),
                columns,
                Map.of(),
                SchemaStatements.orderKeys(statement.orderedBy()),
                statement.options()));
    SinkPlan sink =
        services
            .sinks()
            .insert(
                new InsertTarget(
                    transaction.table(), Optional.of(transaction), new Schema(columns)));
    return run("CREATE TABLE AS", stored, sink, context);
  }

  /** Casts columns whose type a table stores as another (smallint as integer). */
  private static PhysicalPlan convert(PhysicalPlan input, Schema stored) {
    List<NamedExpr> columns = new ArrayList<>();
    boolean same = true;
    for (int i = 0; i < stored.size(); i++) {
      same &= stored.type(i).equals(input.schema().type(i));
      columns.add(
          new NamedExpr(
              CastExpr.to(ColumnExpr.of(input.schema(), i), stored.type(i)),
              stored.field(i).name()));
    }
    return same ? input : new ProjectionExec(input, columns);
  }

  Prepared copyTo(Statement.CopyTo statement, StatementContext context) {
    context.check(Privilege.WRITE_FILES, new ObjectName("", "", statement.path()));
    LogicalPlan logical = queries.logical(statement.query(), context);
    PhysicalPlan input = queries.physical(logical, context);
    SinkPlan sink =
        services
            .sinks()
            .copy(
                new CopyTarget(
                    statement.path(),
                    services.fileIo(),
                    statement.options(),
                    logical.schema(),
                    columnOrdering(input)));
    return run("COPY", input, sink, context);
  }

  private Prepared run(String tag, PhysicalPlan input, SinkPlan sink, StatementContext context) {
    PhysicalPlan plan = new DataSinkExec(input, sink);
    return new Prepared.Run(tag, queries.optimize(plan, context), plan.schema());
  }

  /** The leading keys of the input's order that are plain columns. */
  private static List<ColumnOrder> columnOrdering(PhysicalPlan input) {
    List<ColumnOrder> keys = new ArrayList<>();
    if (input.properties().partitioning().count() == 1) {
      for (SortExpr key :
          input.properties().outputOrdering().map(o -> o.keys()).orElse(List.of())) {
        if (!(key.expr() instanceof ColumnExpr column)) {
          break;
        }
        keys.add(new ColumnOrder(column.index(), key.options()));
      }
    }
    return keys;
  }

  private static VarveException unknownOption(
      Map<String, String> options, String hint, Statement statement) {
    return new VarveException(
        ErrorCode.INVALID_PARAMETER,
        "unknown option '" + options.keySet().iterator().next() + "'",
        statement.position(),
        hint,
        null);
  }
}
