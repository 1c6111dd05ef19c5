package dev.varve.engine.logical;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexUtil;

/** Whether a plan has the same rows each time it is run within a statement. */
final class Repeatable {
  private Repeatable() {}

  /** False for what a volatile function decides, and for limits, which keep any rows of a tie. */
  static boolean is(RelNode plan) {
    return !PlanTree.any(
        plan,
        node ->
            switch (node) {
              case Project project -> !Rules.isStable(project);
              case Filter filter -> !RexUtil.isDeterministic(filter.getCondition());
              case Join join -> !RexUtil.isDeterministic(join.getCondition());
              case Sort sort -> sort.fetch != null || sort.offset != null;
              case GroupLimit ignored -> true;
              default -> false;
            });
  }
}
