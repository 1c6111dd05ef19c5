package dev.varve.engine.statement;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.logical.KeptPlan;
import dev.varve.engine.logical.LogicalPlan;
import dev.varve.engine.physical.ParameterValues;
import dev.varve.engine.physical.PlanningContext;
import dev.varve.engine.plan.OptimizedPlan;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.sql.CatalogTable;
import dev.varve.engine.sql.Statement;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.VarveException;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/** Queries: logical plan, from the cache if it is there, physical plan, optimised plan. */
final class QueryStatements {
  private static final String TAG = "SELECT";

  private final StatementServices services;

  QueryStatements(StatementServices services) {
    this.services = services;
  }

  /**
   * The answer of a kept plan of the same text, if there is one and it still holds; nothing is
   * parsed then. Access to the tables is checked as ever.
   */
  Optional<Prepared> cached(StatementContext context) {
    Optional<CachedQuery> kept = kept(context);
    Optional<Prepared> bound = kept.flatMap(query -> bound(query.plan(), context));
    if (bound.isPresent()) {
      kept.get().hit();
      services.planCache().count(true);
    }
    return bound;
  }

  private Optional<CachedQuery> kept(StatementContext context) {
    if (!usesCache(context)) {
      return Optional.empty();
    }
    PlanKey key = key(context);
    CachedQuery found = services.planCache().find(key);
    if (found == null) {
      return Optional.empty();
    }
    if (!context.confirms(found.lookups())) {
      services.planCache().invalidate(key, found);
      return Optional.empty();
    }
    return Optional.of(found);
  }

  /** A plan that is kept and did not serve does not take these values: literals do. */
  private boolean mayKeep(StatementContext context) {
    return usesCache(context) && services.planCache().find(key(context)) == null;
  }

  private static boolean usesCache(StatementContext context) {
    return context.session().settings().get(EngineSettings.PLAN_CACHE);
  }

  private static PlanKey key(StatementContext context) {
    return PlanKey.of(
        context.sql(), context.session(), context.isPrepared() || !context.parameters().isEmpty());
  }

  /** The plan for this execution's values; empty if they are not of the plan's types. */
  private Optional<Prepared> bound(LogicalPlan plan, StatementContext context) {
    if (!context.isPrepared()
        && !ParameterValues.readAsLiterals(context.parameters(), plan.parameters())) {
      return Optional.empty();
    }
    List<@Nullable Object> values =
        ParameterValues.convert(context.parameters(), plan.parameters(), context.eval());
    return Optional.of(run(plan, values, context));
  }

  private Prepared run(
      LogicalPlan logical, List<@Nullable Object> values, StatementContext context) {
    OptimizedPlan plan = optimize(physical(logical, values, context), context);
    return new Prepared.Run(TAG, plan, logical.schema());
  }

  /** A query that is part of another statement: its text is not the statement's. */
  Prepared inner(Statement.Query statement, StatementContext context) {
    return run(logical(statement.query(), context), List.of(), context);
  }

  Prepared query(Statement.Query statement, StatementContext context) {
    SqlNode query = statement.query();
    if (context.isPrepared() || (!context.parameters().isEmpty() && mayKeep(context))) {
      Optional<Prepared> prepared = parameterized(statement, context);
      if (prepared.isPresent()) {
        return prepared.get();
      }
      // Validation has changed the tree.
      query = ((Statement.Query) services.frontEnd().parse(context.sql())).query();
    }
    LogicalPlan logical = logical(query, context);
    if (context.parameters().isEmpty()) {
      keep(logical, context);
    }
    return run(logical, List.of(), context);
  }

  /**
   * Plans the statement for any values. Where that cannot be, a parameter being of no certain type,
   * a statement that was not prepared is planned with its values as literals instead.
   */
  private Optional<Prepared> parameterized(Statement.Query statement, StatementContext context) {
    LogicalPlan logical;
    try {
      logical = planParameterized(statement, context);
    } catch (VarveException e) {
      if (context.isPrepared()) {
        throw e;
      }
      return Optional.empty();
    }
    return bound(logical, context);
  }

  private LogicalPlan planParameterized(Statement.Query statement, StatementContext context) {
    LogicalPlan logical =
        services
            .logicalPlanner()
            .planParameterized(statement.query(), context, context.session().settings());
    keep(logical, context);
    return logical;
  }

  /** The columns and parameters of a query, whose plan is kept for its executions. */
  Description describe(Statement.Query statement, StatementContext context) {
    LogicalPlan plan =
        kept(context).map(CachedQuery::plan).orElseGet(() -> planParameterized(statement, context));
    return new Description(Optional.of(plan.schema()), plan.parameters());
  }

  /** The types of the parameters of a query that is part of another statement. */
  List<DataType> parameters(SqlNode query, StatementContext context) {
    return services
        .logicalPlanner()
        .planParameterized(query, context, context.session().settings())
        .parameters();
  }

  private void keep(LogicalPlan logical, StatementContext context) {
    if (usesCache(context)) {
      services.planCache().count(false);
      LogicalPlan kept = KeptPlan.of(logical);
      services
          .planCache()
          .put(
              key(context),
              new CachedQuery(
                  kept, context.lookups(), KeptPlan.bytes(kept) + 2L * context.sql().length()));
    }
  }

  LogicalPlan logical(SqlNode query, StatementContext context) {
    return services
        .logicalPlanner()
        .plan(query, context, context.parameters(), context.session().settings());
  }

  PhysicalPlan physical(LogicalPlan logical, StatementContext context) {
    return physical(logical, List.of(), context);
  }

  private PhysicalPlan physical(
      LogicalPlan logical, List<@Nullable Object> values, StatementContext context) {
    context.checkpoint();
    return services
        .physicalPlanner()
        .plan(
            logical.root(),
            context.session().settings(),
            new PlanningContext(
                table -> CatalogTable.resolve(table.getQualifiedName(), context),
                services.expressions().withParameters(values),
                context.eval()));
  }

  OptimizedPlan optimize(PhysicalPlan plan, StatementContext context) {
    context.checkpoint();
    return services.optimizer().optimize(plan, context.session().settings());
  }
}
