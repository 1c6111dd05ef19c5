package dev.varve.engine.logical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * A sub-query of at most one row: expressions over the one row of {@code core}, which is an
 * aggregate without keys or VALUES with one row, where all of {@code having} are true.
 */
record ScalarCore(RelNode core, List<RexNode> columns, List<RexNode> having) {
  ScalarCore {
    columns = List.copyOf(columns);
    having = List.copyOf(having);
  }

  static @Nullable ScalarCore of(RelNode query) {
    List<RexNode> columns =
        new ArrayList<>(query.getCluster().getRexBuilder().identityProjects(query.getRowType()));
    List<RexNode> having = new ArrayList<>();
    RelNode node = query;
    while (true) {
      switch (node) {
        case Project project when Rules.isStable(project) && !project.containsOver() -> {
          columns = new ArrayList<>(RelOptUtil.pushPastProject(columns, project));
          having = new ArrayList<>(RelOptUtil.pushPastProject(having, project));
          node = project.getInput();
        }
        case Filter filter -> {
          having.addAll(RelOptUtil.conjunctions(filter.getCondition()));
          node = filter.getInput();
        }
        // One row is sorted, and is its own first.
        case Sort sort when sort.offset == null && keepsOne(sort.fetch) -> node = sort.getInput();
        case Aggregate aggregate
            when aggregate.getGroupSet().isEmpty()
                && aggregate.getGroupType() == Aggregate.Group.SIMPLE -> {
          return new ScalarCore(aggregate, columns, having);
        }
        case Values values when values.getTuples().size() == 1 -> {
          return new ScalarCore(values, columns, having);
        }
        default -> {
          return null;
        }
      }
    }
  }

  private static boolean keepsOne(@Nullable RexNode fetch) {
    return fetch == null || (fetch instanceof RexLiteral && RexLiteral.intValue(fetch) > 0);
  }
}
