package dev.varve.engine.logical;

import com.google.common.collect.ImmutableList;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * An aggregate with several grouping sets to the union of one aggregate for each, its other keys
 * null and its GROUPING() a constant.
 *
 * <p>Sound because the sets' results are a union by definition, and each set reads the same rows;
 * refuses a volatile input, which would not give the same rows twice.
 */
final class GroupingSets {
  private GroupingSets() {}

  static RelNode expand(RelNode plan) {
    return PlanTree.rewrite(
        plan,
        node ->
            node instanceof Aggregate aggregate
                    && (aggregate.getGroupType() != Aggregate.Group.SIMPLE
                        || aggregate.getAggCallList().stream().anyMatch(GroupingSets::isGrouping))
                ? expand(aggregate)
                : node);
  }

  private static boolean isGrouping(AggregateCall call) {
    return switch (call.getAggregation().getKind()) {
      case GROUPING, GROUPING_ID, GROUP_ID -> true;
      default -> false;
    };
  }

  private static RelNode expand(Aggregate aggregate) {
    if (aggregate.getGroupSets().size() > 1
        && PlanTree.any(
            aggregate.getInput(),
            node -> node instanceof Project project && !Rules.isStable(project))) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "grouping sets over a volatile function are not supported yet");
    }
    List<RelNode> parts = new ArrayList<>();
    for (ImmutableBitSet set : aggregate.getGroupSets()) {
      parts.add(part(aggregate, set));
    }
    return parts.size() == 1 ? parts.getFirst() : LogicalUnion.create(parts, true);
  }

  private static RelNode part(Aggregate aggregate, ImmutableBitSet set) {
    List<AggregateCall> calls =
        aggregate.getAggCallList().stream().filter(call -> !isGrouping(call)).toList();
    RelNode grouped =
        LogicalAggregate.create(
            aggregate.getInput(),
            ImmutableList.of(),
            set,
            ImmutableList.of(set),
            calls.stream()
                .map(
                    call ->
                        call.adaptTo(
                            aggregate.getInput(),
                            call.getArgList(),
                            call.filterArg,
                            aggregate.hasEmptyGroup(),
                            set.isEmpty()))
                .toList());
    RelBuilder builder = AlgebraConverter.builder(aggregate.getCluster()).push(grouped);
    RexBuilder rex = builder.getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    List<RelDataType> types =
        aggregate.getRowType().getFieldList().stream().map(field -> field.getType()).toList();
    for (int key : aggregate.getGroupSet()) {
      RelDataType type = types.get(columns.size());
      columns.add(
          set.get(key)
              ? rex.ensureType(type, builder.field(set.indexOf(key)), true)
              : rex.makeNullLiteral(type));
    }
    int next = set.cardinality();
    for (AggregateCall call : aggregate.getAggCallList()) {
      RelDataType type = types.get(columns.size());
      columns.add(
          isGrouping(call)
              ? rex.makeExactLiteral(BigDecimal.valueOf(grouping(call, set)), type)
              : rex.ensureType(type, builder.field(next++), true));
    }
    return builder.project(columns, aggregate.getRowType().getFieldNames(), true).build();
  }

  /** A bit for each argument, the first highest: 1 where the set does not group by it. */
  private static long grouping(AggregateCall call, ImmutableBitSet set) {
    if (call.getAggregation().getKind() == SqlKind.GROUP_ID) {
      return 0;
    }
    long bits = 0;
    for (int argument : call.getArgList()) {
      bits = bits << 1 | (set.get(argument) ? 0 : 1);
    }
    return bits;
  }
}
