package dev.varve.engine.logical;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Sub-queries in the condition of an outer join. What is about one side becomes a column of that
 * side; what is about both is refused, since the join keeps rows for which it is not true.
 */
final class OuterJoinCondition {
  private final Join join;
  private final int leftCount;
  private final Side left;
  private final Side right;

  private OuterJoinCondition(Join join) {
    this.join = join;
    this.leftCount = join.getLeft().getRowType().getFieldCount();
    this.left = new Side(join.getLeft(), join.getVariablesSet(), 0);
    this.right = new Side(join.getRight(), join.getVariablesSet(), leftCount);
  }

  static RelNode free(Join join) {
    return new OuterJoinCondition(join).free();
  }

  private static final class Side {
    private final OuterRows rows;
    private final int offset;
    private final int columns;
    private final List<RexNode> values = new ArrayList<>();

    Side(RelNode input, Set<CorrelationId> variables, int offset) {
      this.rows = new OuterRows(input, variables, offset);
      this.offset = offset;
      this.columns = input.getRowType().getFieldCount();
    }

    boolean has(ImmutableBitSet used) {
      return used.isEmpty() || (used.nth(0) >= offset && used.length() <= offset + columns);
    }

    /** The index, among the side's new columns, of a conjunct's value. */
    int add(RexNode conjunct) {
      values.add(rows.value(RexUtil.shift(conjunct, -offset)));
      return values.size() - 1;
    }

    RelNode rel(RelBuilder builder) {
      builder.push(rows.rel());
      List<RexNode> all = new ArrayList<>(builder.fields().subList(0, columns));
      all.addAll(values);
      return values.isEmpty()
          ? builder.build()
          : builder.project(all, ImmutableList.of(), true).build();
    }
  }

  /** A conjunct: as it was, or a column that one side is given. */
  private record Placed(RexNode plain, boolean onLeft, int index, boolean computed) {}

  private RelNode free() {
    List<Placed> conjuncts = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
      if (RexUtil.SubQueryFinder.find(conjunct) == null) {
        conjuncts.add(new Placed(conjunct, false, 0, false));
        continue;
      }
      ImmutableBitSet used = used(conjunct);
      boolean onLeft = left.has(used);
      if (!onLeft && !right.has(used)) {
        throw Unnesting.unsupported(
            "a sub-query in the condition of an outer join refers to both sides");
      }
      conjuncts.add(
          new Placed(conjunct, onLeft, onLeft ? left.add(conjunct) : right.add(conjunct), true));
    }
    return joined(conjuncts);
  }

  private RelNode joined(List<Placed> conjuncts) {
    RelBuilder builder = AlgebraConverter.builder(join.getCluster());
    RelNode newLeft = left.rel(builder);
    RelNode newRight = right.rel(builder);
    int newLeftCount = newLeft.getRowType().getFieldCount();
    builder.push(newLeft).push(newRight);
    List<RexNode> conditions = new ArrayList<>();
    for (Placed conjunct : conjuncts) {
      conditions.add(
          !conjunct.computed
              ? shiftRight(conjunct.plain, newLeftCount - leftCount)
              : conjunct.onLeft
                  ? builder.field(2, 0, leftCount + conjunct.index)
                  : builder.field(2, 1, right.columns + conjunct.index));
    }
    RelNode result =
        LogicalJoin.create(
            newLeft,
            newRight,
            ImmutableList.of(),
            RexUtil.composeConjunction(builder.getRexBuilder(), conditions),
            Set.of(),
            join.getJoinType());
    builder.clear();
    builder.push(result);
    List<RexNode> columns = new ArrayList<>(builder.fields().subList(0, leftCount));
    if (join.getJoinType().projectsRight()) {
      columns.addAll(builder.fields().subList(newLeftCount, newLeftCount + right.columns));
    }
    return builder.project(columns, join.getRowType().getFieldNames(), true).build();
  }

  private ImmutableBitSet used(RexNode conjunct) {
    ImmutableBitSet.Builder used = ImmutableBitSet.builder();
    used.addAll(RelOptUtil.InputFinder.bits(conjunct));
    conjunct.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            OuterReferences.in(subQuery.rel, join.getVariablesSet()).keySet().forEach(used::set);
            return super.visitSubQuery(subQuery);
          }
        });
    return used.build();
  }

  private RexNode shiftRight(RexNode condition, int by) {
    return condition.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef column) {
            return column.getIndex() < leftCount
                ? column
                : new RexInputRef(column.getIndex() + by, column.getType());
          }
        });
  }
}
