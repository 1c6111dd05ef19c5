package dev.varve.engine.logical;

import com.google.common.collect.ImmutableList;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.mapping.Mappings;

/**
 * Evaluates a query about one outer row for all of them at once: the query's rows with the outer
 * columns that they are for. Top down, each node is given those columns, and at the first that does
 * not need them they come from the distinct values in the outer rows, or, under a filter that
 * equates them with columns of its own, from those.
 *
 * <p>After Neumann and Leis, "Improving Unnesting of Complex Queries" (BTW 2025).
 */
final class Domain {
  /**
   * A query for all outer rows: where its own columns are, and the outer ones by their position in
   * the outer row.
   */
  record Frame(RelNode rel, List<Integer> columns, Map<Integer, Integer> outer) {
    Frame {
      columns = List.copyOf(columns);
      outer = new TreeMap<>(outer);
    }
  }

  private final RelNode outerRows;
  private final Set<CorrelationId> variables;
  private final Map<Integer, RexFieldAccess> references;
  private final int offset;
  private final RexBuilder rex;
  private final RelBuilder builder;

  /**
   * @param references the outer columns that the query uses, by their position in the outer row
   * @param offset the position in that row of the first column of {@code outerRows}
   */
  Domain(
      RelNode outerRows,
      Set<CorrelationId> variables,
      Map<Integer, RexFieldAccess> references,
      int offset) {
    this.outerRows = outerRows;
    this.variables = variables;
    this.references = references;
    this.offset = offset;
    this.rex = outerRows.getCluster().getRexBuilder();
    this.builder = AlgebraConverter.builder(outerRows.getCluster());
  }

  Frame push(RelNode node) {
    if (!OuterReferences.any(node, variables)) {
      return times(node);
    }
    return switch (node) {
      case Filter filter -> filter(filter);
      case Project project -> project(project);
      case Aggregate aggregate -> aggregate(aggregate);
      case Sort sort -> sort(sort);
      case GroupLimit limit -> limit(limit);
      case Join join -> join(join);
      case SetOp operation -> setOperation(operation);
      default ->
          throw Unnesting.unsupported(
              "a sub-query refers to the outer query inside a "
                  + node.getRelTypeName().replaceFirst("^Logical", ""));
    };
  }

  /** The distinct outer values, a column for each reference. */
  private RelNode values() {
    if (!Repeatable.is(outerRows)) {
      throw Unnesting.unsupported(
          "a sub-query needs the outer rows twice, but they are not the same rows each time");
    }
    builder.push(outerRows);
    List<RexNode> columns = new ArrayList<>();
    for (int index : references.keySet()) {
      columns.add(builder.field(index - offset));
    }
    return builder.project(columns, ImmutableList.of(), true).distinct().build();
  }

  private Frame times(RelNode node) {
    int own = node.getRowType().getFieldCount();
    RelNode rel =
        LogicalJoin.create(
            node, values(), ImmutableList.of(), rex.makeLiteral(true), Set.of(), JoinRelType.INNER);
    return new Frame(rel, positions(0, own), outerFrom(own));
  }

  private static List<Integer> positions(int from, int count) {
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      positions.add(from + i);
    }
    return positions;
  }

  private Map<Integer, Integer> outerFrom(int first) {
    Map<Integer, Integer> outer = new TreeMap<>();
    for (int index : references.keySet()) {
      outer.put(index, first + outer.size());
    }
    return outer;
  }

  private RexNode rewrite(RexNode expression, Frame input) {
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef column) {
            return RexInputRef.of(input.columns.get(column.getIndex()), input.rel.getRowType());
          }

          @Override
          public RexNode visitFieldAccess(RexFieldAccess access) {
            return OuterReferences.isOf(access, variables)
                ? RexInputRef.of(
                    java.util.Objects.requireNonNull(input.outer.get(access.getField().getIndex())),
                    input.rel.getRowType())
                : super.visitFieldAccess(access);
          }
        });
  }

  private Frame filter(Filter filter) {
    RelNode input = filter.getInput();
    Frame frame = OuterReferences.any(input, variables) ? push(input) : substituted(filter);
    RexNode condition = rewrite(filter.getCondition(), frame);
    builder.push(frame.rel);
    // A column that stands for an outer one equals it, where it is a value at all.
    return new Frame(builder.filter(condition).build(), frame.columns, frame.outer);
  }

  /**
   * Columns of the filter's own input that it equates with the outer ones stand for them: rows of
   * other values are for no outer row, and the join with those drops them.
   */
  private Frame substituted(Filter filter) {
    Map<Integer, Integer> outer = new TreeMap<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
      if (conjunct.getKind() != SqlKind.EQUALS
          && conjunct.getKind() != SqlKind.IS_NOT_DISTINCT_FROM) {
        continue;
      }
      List<RexNode> operands = ((RexCall) conjunct).getOperands();
      equate(operands.get(0), operands.get(1), outer);
      equate(operands.get(1), operands.get(0), outer);
    }
    return outer.size() == references.size()
        ? new Frame(
            filter.getInput(), positions(0, filter.getInput().getRowType().getFieldCount()), outer)
        : times(filter.getInput());
  }

  private void equate(RexNode first, RexNode second, Map<Integer, Integer> outer) {
    if (first instanceof RexFieldAccess access
        && OuterReferences.isOf(access, variables)
        && second instanceof RexInputRef column
        && SqlTypeUtil.equalSansNullability(
            rex.getTypeFactory(), access.getType(), column.getType())) {
      outer.putIfAbsent(access.getField().getIndex(), column.getIndex());
    }
  }

  private Frame project(Project project) {
    if (project.containsOver()) {
      throw Unnesting.unsupported("a correlated sub-query with a window function");
    }
    Frame input = push(project.getInput());
    List<RexNode> columns = new ArrayList<>();
    for (RexNode column : project.getProjects()) {
      columns.add(rewrite(column, input));
    }
    int own = columns.size();
    for (int position : input.outer.values()) {
      columns.add(RexInputRef.of(position, input.rel.getRowType()));
    }
    RelNode rel = builder.push(input.rel).project(columns, ImmutableList.of(), true).build();
    return new Frame(rel, positions(0, own), outerFrom(own));
  }

  private Frame aggregate(Aggregate aggregate) {
    if (aggregate.getGroupSets().size() > 1 && aggregate.hasEmptyGroup()) {
      throw Unnesting.unsupported("a sub-query with grouping sets refers to the outer query");
    }
    Frame input = push(aggregate.getInput());
    ImmutableBitSet outer = ImmutableBitSet.of(input.outer.values());
    ImmutableBitSet keys = moved(aggregate.getGroupSet(), input.columns).union(outer);
    List<ImmutableBitSet> sets =
        aggregate.getGroupSets().stream()
            .map(set -> moved(set, input.columns).union(outer))
            .toList();
    RelNode rel = grouped(input.rel, keys, sets, input.columns, aggregate);
    Map<Integer, Integer> outerAt = new TreeMap<>();
    input.outer.forEach((index, position) -> outerAt.put(index, keys.indexOf(position)));
    List<Integer> columns = new ArrayList<>();
    for (int key : aggregate.getGroupSet()) {
      columns.add(keys.indexOf(input.columns.get(key)));
    }
    columns.addAll(positions(keys.cardinality(), aggregate.getAggCallList().size()));
    Frame groups = new Frame(rel, columns, outerAt);
    return aggregate.hasEmptyGroup() ? alsoOverNothing(groups, aggregate) : groups;
  }

  private static ImmutableBitSet moved(ImmutableBitSet columns, List<Integer> positions) {
    ImmutableBitSet.Builder moved = ImmutableBitSet.builder();
    columns.forEach(column -> moved.set(positions.get(column)));
    return moved.build();
  }

  /** The aggregates of {@code aggregate}, by other keys, over an input with its columns moved. */
  static RelNode grouped(
      RelNode input,
      ImmutableBitSet keys,
      List<ImmutableBitSet> sets,
      List<Integer> columns,
      Aggregate aggregate) {
    Mappings.TargetMapping mapping =
        Mappings.target(columns::get, columns.size(), input.getRowType().getFieldCount());
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      AggregateCall moved = call.transform(mapping);
      calls.add(
          moved.adaptTo(
              input,
              moved.getArgList(),
              moved.filterArg,
              aggregate.hasEmptyGroup(),
              keys.isEmpty()));
    }
    return LogicalAggregate.create(
        input, ImmutableList.of(), keys, ImmutableList.copyOf(sets), calls);
  }

  /** An aggregate without keys has a row for every outer row, also for those without a group. */
  private Frame alsoOverNothing(Frame groups, Aggregate aggregate) {
    RelNode values = values();
    int width = values.getRowType().getFieldCount();
    Map<Integer, Integer> outer = outerFrom(0);
    List<RexNode> conditions = new ArrayList<>();
    outer.forEach(
        (index, position) ->
            conditions.add(
                rex.makeCall(
                    SqlStdOperatorTable.IS_NOT_DISTINCT_FROM,
                    RexInputRef.of(position, values.getRowType()),
                    RexUtil.shift(
                        RexInputRef.of(
                            java.util.Objects.requireNonNull(groups.outer.get(index)),
                            groups.rel.getRowType()),
                        width))));
    builder.push(
        LogicalJoin.create(
            values,
            groups.rel,
            ImmutableList.of(),
            RexUtil.composeConjunction(rex, conditions),
            Set.of(),
            JoinRelType.LEFT));
    List<RexNode> columns = new ArrayList<>(builder.fields().subList(0, width));
    List<Integer> own = new ArrayList<>();
    for (int i = 0; i < groups.columns.size(); i++) {
      RexNode column = builder.field(width + groups.columns.get(i));
      own.add(columns.size());
      columns.add(
          isZeroOverNothing(aggregate.getAggCallList().get(i)) ? orZero(rex, column) : column);
    }
    return new Frame(builder.project(columns, ImmutableList.of(), true).build(), own, outer);
  }

  static boolean isZeroOverNothing(AggregateCall call) {
    return call.getAggregation().getKind() == SqlKind.COUNT
        || call.getAggregation().getKind() == SqlKind.SUM0;
  }

  static RexNode orZero(RexBuilder rex, RexNode count) {
    RelDataType type = rex.getTypeFactory().createTypeWithNullability(count.getType(), false);
    return rex.makeCall(
        SqlStdOperatorTable.CASE,
        rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, count),
        rex.ensureType(type, count, true),
        rex.makeExactLiteral(BigDecimal.ZERO, type));
  }

  /** The first rows for each outer row are the first of each group. */
  private Frame sort(Sort sort) {
    Frame input = push(sort.getInput());
    if (sort.fetch == null && sort.offset == null) {
      return input;
    }
    return new Frame(
        GroupLimit.create(
            input.rel,
            ImmutableBitSet.of(input.outer.values()),
            RelCollations.of(moved(sort.getCollation().getFieldCollations(), input.columns)),
            sort.offset,
            sort.fetch),
        input.columns,
        input.outer);
  }

  private Frame limit(GroupLimit limit) {
    Frame input = push(limit.getInput());
    return new Frame(
        GroupLimit.create(
            input.rel,
            moved(limit.keys(), input.columns).union(ImmutableBitSet.of(input.outer.values())),
            RelCollations.of(moved(limit.order().getFieldCollations(), input.columns)),
            limit.offset(),
            limit.fetch()),
        input.columns,
        input.outer);
  }

  private static List<RelFieldCollation> moved(
      List<RelFieldCollation> order, List<Integer> positions) {
    return order.stream()
        .map(key -> key.withFieldIndex(positions.get(key.getFieldIndex())))
        .toList();
  }

  private Frame join(Join join) {
    JoinRelType type = join.getJoinType();
    boolean leftUses = OuterReferences.any(join.getLeft(), variables);
    boolean rightUses = OuterReferences.any(join.getRight(), variables);
    boolean keepsLeft = type != JoinRelType.INNER && type != JoinRelType.RIGHT;
    boolean keepsRight = type == JoinRelType.RIGHT || type == JoinRelType.FULL;
    boolean pushLeft = leftUses || keepsLeft || (!rightUses && !keepsRight);
    boolean pushRight = rightUses || keepsRight;
    Frame left = pushLeft ? push(join.getLeft()) : untouched(join.getLeft());
    Frame right = pushRight ? push(join.getRight()) : untouched(join.getRight());
    int leftWidth = left.rel.getRowType().getFieldCount();
    List<Integer> pair = new ArrayList<>(left.columns);
    right.columns.forEach(column -> pair.add(leftWidth + column));
    Map<Integer, Integer> pairOuter = new TreeMap<>();
    right.outer.forEach((index, position) -> pairOuter.put(index, leftWidth + position));
    Map<Integer, Integer> rightOuter = new TreeMap<>(pairOuter);
    pairOuter.putAll(left.outer);
    // Only for its row type: the columns of the pair as the condition sees them.
    RelNode pairs =
        LogicalJoin.create(
            left.rel,
            right.rel,
            ImmutableList.of(),
            rex.makeLiteral(true),
            Set.of(),
            JoinRelType.INNER);
    Frame both = new Frame(pairs, pair, pairOuter);
    List<RexNode> conditions = new ArrayList<>();
    conditions.add(rewrite(join.getCondition(), both));
    if (pushLeft && pushRight) {
      left.outer.forEach(
          (index, position) ->
              conditions.add(
                  rex.makeCall(
                      SqlStdOperatorTable.IS_NOT_DISTINCT_FROM,
                      RexInputRef.of(position, pairs.getRowType()),
                      RexInputRef.of(
                          java.util.Objects.requireNonNull(rightOuter.get(index)),
                          pairs.getRowType()))));
    }
    RelNode rel =
        LogicalJoin.create(
            left.rel,
            right.rel,
            ImmutableList.of(),
            RexUtil.composeConjunction(rex, conditions),
            Set.of(),
            type);
    return switch (type) {
      case SEMI, ANTI -> new Frame(rel, left.columns, left.outer);
      case LEFT_MARK -> {
        List<Integer> columns = new ArrayList<>(left.columns);
        columns.add(leftWidth);
        yield new Frame(rel, columns, left.outer);
      }
      case INNER, LEFT -> new Frame(rel, pair, pushLeft ? left.outer : rightOuter);
      case RIGHT -> new Frame(rel, pair, rightOuter);
      case FULL -> eitherSide(rel, pair, left.outer, rightOuter);
      case ASOF, LEFT_ASOF -> throw Unnesting.unsupported("a sub-query with an ASOF join");
    };
  }

  private static Frame untouched(RelNode node) {
    return new Frame(
        Unnesting.eliminate(node), positions(0, node.getRowType().getFieldCount()), Map.of());
  }

  private Frame eitherSide(
      RelNode join,
      List<Integer> columns,
      Map<Integer, Integer> leftOuter,
      Map<Integer, Integer> rightOuter) {
    builder.push(join);
    List<RexNode> all = new ArrayList<>(builder.fields());
    Map<Integer, Integer> outer = new TreeMap<>();
    leftOuter.forEach(
        (index, position) -> {
          outer.put(index, all.size());
          all.add(
              rex.makeCall(
                  SqlStdOperatorTable.COALESCE,
                  builder.field(position),
                  builder.field(java.util.Objects.requireNonNull(rightOuter.get(index)))));
        });
    return new Frame(builder.project(all, ImmutableList.of(), true).build(), columns, outer);
  }

  private Frame setOperation(SetOp operation) {
    List<RelNode> inputs = new ArrayList<>();
    int own = operation.getRowType().getFieldCount();
    for (RelNode input : operation.getInputs()) {
      Frame frame = push(input);
      builder.push(frame.rel);
      List<RexNode> columns = new ArrayList<>();
      frame.columns.forEach(column -> columns.add(builder.field(column)));
      frame.outer.values().forEach(column -> columns.add(builder.field(column)));
      inputs.add(builder.project(columns, ImmutableList.of(), true).build());
    }
    return new Frame(
        operation.copy(operation.getTraitSet(), inputs), positions(0, own), outerFrom(own));
  }
}
