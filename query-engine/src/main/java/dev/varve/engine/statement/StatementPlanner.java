package dev.varve.engine.statement;

import dev.varve.engine.config.Settings;
import dev.varve.engine.sql.Statement;
import java.util.List;
import java.util.Optional;

/** Turns a statement's text into something that answers. Safe for concurrent use. */
public final class StatementPlanner {
  private final StatementServices services;
  private final QueryStatements queries;
  private final WriteStatements writes;
  private final SchemaStatements schemas;
  private final ShowStatements shows;
  private final SessionStatements sessions;
  private final CallStatements calls;

  /** {@code defaults} is what RESET goes back to. */
  public StatementPlanner(StatementServices services, Settings defaults) {
    this.services = services;
    this.queries = new QueryStatements(services);
    this.writes = new WriteStatements(services, queries);
    this.schemas = new SchemaStatements(services);
    this.shows = new ShowStatements(services);
    this.sessions = new SessionStatements(services, defaults);
    this.calls = new CallStatements(services);
  }

  public Prepared prepare(StatementRequest request) {
    StatementContext context = new StatementContext(services, request);
    return queries
        .cached(context)
        .orElseGet(() -> prepare(services.frontEnd().parse(request.sql()), context));
  }

  /**
   * Parses a statement and says what it takes and answers, for any values of its parameters. What
   * has no parameters and no plan of its own (SHOW, CALL) is prepared for that, and not run.
   */
  public Description describe(StatementRequest request) {
    return describe(
        services.frontEnd().parse(request.sql()), new StatementContext(services, request));
  }

  private Description describe(Statement statement, StatementContext context) {
    return switch (statement) {
      case Statement.Query s -> queries.describe(s, context);
      case Statement.Insert s -> Description.ofUpdate(writes.parameters(s, context));
      case Statement.CreateTableAs s ->
          Description.ofUpdate(queries.parameters(s.query(), context));
      case Statement.CopyTo s -> Description.ofUpdate(queries.parameters(s.query(), context));
      case Statement.Explain s ->
          new Description(
              Optional.of(Explanations.SCHEMA),
              s.statement() instanceof Statement.Query query
                  ? queries.parameters(query.query(), context)
                  : describe(s.statement(), context).parameters());
      case Statement.Show _, Statement.Describe _, Statement.Call _, Statement.Analyze _ ->
          new Description(Optional.of(prepare(statement, context).schema()), List.of());
      case Statement.CopyFrom _,
          Statement.CreateSchema _,
          Statement.DropSchema _,
          Statement.CreateTable _,
          Statement.DropTable _,
          Statement.CreateView _,
          Statement.DropView _,
          Statement.SetSetting _,
          Statement.ResetSetting _,
          Statement.Use _ ->
          Description.ofUpdate(List.of());
    };
  }

  private Prepared prepare(Statement statement, StatementContext context) {
    return switch (statement) {
      case Statement.Query s -> queries.query(s, context);
      case Statement.Explain s -> explain(s, context);
      case Statement.Insert s -> writes.insert(s, context);
      case Statement.CreateTableAs s -> writes.createTableAs(s, context);
      case Statement.CopyFrom s -> writes.copyFrom(s, context);
      case Statement.CopyTo s -> writes.copyTo(s, context);
      case Statement.CreateSchema s -> schemas.createSchema(s, context);
      case Statement.DropSchema s -> schemas.dropSchema(s, context);
      case Statement.CreateTable s -> schemas.createTable(s, context);
      case Statement.DropTable s -> schemas.dropTable(s, context);
      case Statement.CreateView s -> schemas.createView(s, context);
      case Statement.DropView s -> schemas.dropView(s, context);
      case Statement.Call s -> calls.call(s, context);
      case Statement.Analyze s -> calls.analyze(s, context);
      case Statement.Show s -> shows.show(s, context);
      case Statement.Describe s -> shows.describe(s, context);
      case Statement.SetSetting s -> sessions.set(s, context);
      case Statement.ResetSetting s -> sessions.reset(s, context);
      case Statement.Use s -> sessions.use(s, context);
    };
  }

  private Prepared explain(Statement.Explain statement, StatementContext context) {
    Prepared explained =
        statement.statement() instanceof Statement.Query query
            ? queries.inner(query, context)
            : prepare(statement.statement(), context);
    return Explanations.of(statement, explained);
  }
}
