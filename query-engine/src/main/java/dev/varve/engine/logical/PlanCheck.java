package dev.varve.engine.logical;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Locale;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.TableSpool;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexOver;

/** Refuses plans with what the physical planner has no operator for. */
final class PlanCheck {
  private PlanCheck() {}

  static void check(RelNode node) {
    String feature =
        switch (node) {
          case Project project when RexOver.containsOver(project.getProjects(), null) ->
              "a window function";
          case TableScan ignored -> null;
          case Filter ignored -> null;
          case Project ignored -> null;
          case Join ignored -> null;
          case Aggregate ignored -> null;
          case Sort ignored -> null;
          case GroupLimit ignored -> null;
          case Values ignored -> null;
          case Union union -> union.all ? null : "UNION";
          case Intersect ignored -> "INTERSECT ALL";
          case Minus ignored -> "EXCEPT ALL";
          case RepeatUnion ignored -> "WITH RECURSIVE";
          case TableSpool ignored -> "WITH RECURSIVE";
          default -> node.getRelTypeName().replaceFirst("^Logical", "").toLowerCase(Locale.ROOT);
        };
    if (feature != null) {
      throw new VarveException(ErrorCode.FEATURE_NOT_SUPPORTED, feature + " is not supported yet");
    }
    node.getInputs().forEach(PlanCheck::check);
  }
}
