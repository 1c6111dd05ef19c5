package dev.varve.engine.statement;

import dev.varve.engine.logical.LogicalPlan;
import dev.varve.engine.physical.PlanningContext;
import dev.varve.engine.plan.OptimizedPlan;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.sql.Statement;
import org.apache.calcite.sql.SqlNode;

/** Queries: logical plan, physical plan, optimised plan. */
final class QueryStatements {
  private final StatementServices services;

  QueryStatements(StatementServices services) {
    this.services = services;
  }

  Prepared query(Statement.Query statement, StatementContext context) {
    LogicalPlan logical = logical(statement.query(), context);
    OptimizedPlan plan = optimize(physical(logical, context), context);
    return new Prepared.Run("SELECT", plan, logical.schema());
  }

  LogicalPlan logical(SqlNode query, StatementContext context) {
    return services
        .logicalPlanner()
        .plan(query, context, context.parameters(), context.session().settings());
  }

  PhysicalPlan physical(LogicalPlan logical, StatementContext context) {
    return services
        .physicalPlanner()
        .plan(
            logical.root(),
            context.session().settings(),
            PlanningContext.asValidated(services.expressions()));
  }

  OptimizedPlan optimize(PhysicalPlan plan, StatementContext context) {
    return services.optimizer().optimize(plan, context.session().settings());
  }
}
