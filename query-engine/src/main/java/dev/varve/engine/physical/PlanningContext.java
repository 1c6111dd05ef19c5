package dev.varve.engine.physical;

import dev.varve.engine.source.SourceTable;
import java.util.Objects;
import org.apache.calcite.plan.RelOptTable;

/**
 * What a logical plan is bound to when it becomes physical: a logical plan may be cached, the
 * tables of a statement are pinned to their snapshots anew each time.
 */
public record PlanningContext(TableBinding tables, RexTranslator expressions) {

  /** The table that a name in a logical plan stands for in this statement. */
  @FunctionalInterface
  public interface TableBinding {
    SourceTable bind(RelOptTable table);
  }

  /** Every table is the one that the validator found. */
  public static PlanningContext asValidated(RexTranslator expressions) {
    return new PlanningContext(
        table ->
            Objects.requireNonNull(
                table.unwrap(SourceTable.class),
                () -> "no source table behind " + table.getQualifiedName()),
        expressions);
  }
}
