package dev.varve.engine.logical;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.tools.RelBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A sub-query taken apart: what its filters say about the outer row, and its columns, both over the
 * rows of {@code core}, which keeps the filters that say nothing about it.
 *
 * @param lifted conditions that refer to the outer row; a row of the core is the sub-query's where
 *     all of them are true
 * @param columns the sub-query's columns; they may refer to the outer row
 */
record Peeled(RelNode core, List<RexNode> lifted, List<RexNode> columns) {
  Peeled {
    lifted = List.copyOf(lifted);
    columns = List.copyOf(columns);
  }

  /**
   * Goes down through projections, filters, inner joins' conditions and sorts without a limit.
   *
   * @param existence only whether there are rows matters, not which
   */
  static Peeled of(RelNode query, Set<CorrelationId> outer, boolean existence) {
    return new Peeling(query, outer, existence).peel();
  }

  /** Whether the core can be evaluated once for all outer rows. */
  boolean isFree(Set<CorrelationId> outer) {
    return !OuterReferences.any(core, outer);
  }

  private static final class Peeling {
    private final Set<CorrelationId> outer;
    private final boolean existence;
    private final RelBuilder builder;
    private RelNode node;
    private List<RexNode> lifted = new ArrayList<>();
    private List<RexNode> kept = new ArrayList<>();
    private List<RexNode> columns = new ArrayList<>();

    Peeling(RelNode query, Set<CorrelationId> outer, boolean existence) {
      this.outer = outer;
      this.existence = existence;
      this.builder = AlgebraConverter.builder(query.getCluster());
      this.node = query;
      if (!existence) {
        columns.addAll(query.getCluster().getRexBuilder().identityProjects(query.getRowType()));
      }
    }

    Peeled peel() {
      while (true) {
        RelNode next = step();
        if (next == null) {
          return new Peeled(builder.push(node).filter(kept).build(), lifted, columns);
        }
        node = next;
      }
    }

    private @Nullable RelNode step() {
      return switch (node) {
        case Project project when Rules.isStable(project) && !project.containsOver() -> {
          lifted = new ArrayList<>(RelOptUtil.pushPastProject(lifted, project));
          kept = new ArrayList<>(RelOptUtil.pushPastProject(kept, project));
          columns = new ArrayList<>(RelOptUtil.pushPastProject(columns, project));
          yield project.getInput();
        }
        case Filter filter when RexUtil.isDeterministic(filter.getCondition()) -> {
          sort(filter.getCondition());
          yield filter.getInput();
        }
        case Sort sort when isOnlyOrder(sort) -> sort.getInput();
        case Aggregate aggregate
            when existence && !aggregate.hasEmptyGroup() && lifted.isEmpty() && kept.isEmpty() ->
            aggregate.getInput();
        case Join join
            when join.getJoinType() == JoinRelType.INNER
                && OuterReferences.any(join.getCondition(), outer) -> {
          sort(join.getCondition());
          yield join.copy(
              join.getTraitSet(),
              join.getCluster().getRexBuilder().makeLiteral(true),
              join.getLeft(),
              join.getRight(),
              JoinRelType.INNER,
              join.isSemiJoinDone());
        }
        default -> null;
      };
    }

    private void sort(RexNode condition) {
      for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
        (OuterReferences.any(conjunct, outer) ? lifted : kept).add(conjunct);
      }
    }

    private boolean isOnlyOrder(Sort sort) {
      // Whether there is a row does not depend on how many are taken, unless those are judged
      // again.
      return sort.offset == null
          && (sort.fetch == null
              || (existence
                  && lifted.isEmpty()
                  && kept.isEmpty()
                  && sort.fetch instanceof RexLiteral
                  && !isZero(sort.fetch)));
    }

    private static boolean isZero(RexNode fetch) {
      return RexLiteral.intValue(fetch) == 0;
    }
  }
}
