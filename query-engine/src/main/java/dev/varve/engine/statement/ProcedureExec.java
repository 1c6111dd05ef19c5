package dev.varve.engine.statement;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.port.AccessControl.Access;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.port.Procedure;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.sql.QualifiedName;
import dev.varve.engine.sql.Statement;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.SourcePosition;
import dev.varve.layout.error.VarveException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a procedure when it is pulled, so that a CALL is cancelled, limited and counted like a
 * query.
 */
final class ProcedureExec implements PhysicalPlan {
  private final Procedure procedure;
  private final List<@Nullable Object> arguments;
  private final StatementServices services;
  private final StatementContext statement;
  private final PlanProperties properties;
  private final MetricSet metrics = new MetricSet();

  ProcedureExec(
      Procedure procedure,
      List<@Nullable Object> arguments,
      StatementServices services,
      StatementContext statement) {
    this.procedure = procedure;
    this.arguments = arguments;
    this.services = services;
    this.statement = statement;
    this.properties =
        PlanProperties.of(
            new Partitioning.Unknown(1), EquivalenceProperties.of(procedure.resultSchema()));
  }

  List<Access> accesses() {
    return procedure.accesses(arguments, this::resolve);
  }

  /**
   * The full name behind an argument such as {@code 'lake.s.t'}: it is parsed like a name in SQL.
   */
  private ObjectName resolve(String table) {
    Statement parsed;
    try {
      parsed = services.frontEnd().parse("DESCRIBE " + table);
    } catch (VarveException e) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "'" + table + "' is not the name of a table", e);
    }
    if (!(parsed instanceof Statement.Describe describe)) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "'" + table + "' is not the name of a table");
    }
    return statement.resolve(new QualifiedName(describe.table().parts(), new SourcePosition(1, 1)));
  }

  @Override
  public String name() {
    return "ProcedureExec";
  }

  @Override
  public String details() {
    return "system." + procedure.name() + arguments;
  }

  @Override
  public Schema schema() {
    return procedure.resultSchema();
  }

  @Override
  public List<PhysicalPlan> children() {
    return List.of();
  }

  @Override
  public PhysicalPlan withChildren(List<PhysicalPlan> children) {
    return this;
  }

  @Override
  public PlanProperties properties() {
    return properties;
  }

  @Override
  public MetricSet metrics() {
    return metrics;
  }

  @Override
  public BatchStream execute(int partition, TaskContext context) {
    return new BatchStream() {
      private boolean called;

      @Override
      public Schema schema() {
        return procedure.resultSchema();
      }

      @Override
      public @Nullable Batch next() {
        if (called) {
          return null;
        }
        called = true;
        Batch result =
            procedure.call(
                arguments,
                new TaskProcedureContext(context, metrics, services, ProcedureExec.this::resolve));
        return result.rowCount() == 0 ? null : result;
      }

      @Override
      public void close() {}
    };
  }
}
