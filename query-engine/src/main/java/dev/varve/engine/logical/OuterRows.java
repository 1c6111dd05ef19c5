package dev.varve.engine.logical;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows that sub-queries are asked for. Each sub-query is one more join, which gives a column:
 *
 * <pre>
 * [NOT] EXISTS, IN as conjuncts      semi and anti joins, no column
 * the same elsewhere                 mark joins: the three-valued answer
 * aggregates                         a left join with the aggregate by the outer row's columns
 * other scalars                      the same, of count and any value
 * </pre>
 *
 * The sub-query's conditions about the outer row become the join's, so that the outer rows are read
 * once; where such a condition is buried deeper, {@link Domain} computes the sub-query for all the
 * values that the outer rows have. Confined to the planning of one query.
 */
final class OuterRows {
  private final Set<CorrelationId> variables;
  private final int offset;
  private final RexBuilder rex;
  private final RelBuilder builder;

  /** Without the joins of sub-queries: what their outer columns' values are taken from. */
  private final RelNode input;

  private RelNode rel;

  /** The columns of {@code input} stay first, in their order. */
  OuterRows(RelNode input, Set<CorrelationId> variables) {
    this(input, variables, 0);
  }

  /** {@code offset} is the position of the input's first column in the row of the variables. */
  OuterRows(RelNode input, Set<CorrelationId> variables, int offset) {
    this.input = input;
    this.rel = input;
    this.variables = variables;
    this.offset = offset;
    this.rex = input.getCluster().getRexBuilder();
    this.builder = AlgebraConverter.builder(input.getCluster());
  }

  RelNode rel() {
    return rel;
  }

  private int width() {
    return rel.getRowType().getFieldCount();
  }

  /**
   * Keeps the rows for which a conjunct is true, by a semi or anti join; false if it is neither.
   */
  boolean keepWhere(RexNode conjunct) {
    boolean negated = conjunct.getKind() == SqlKind.NOT;
    RexNode inner = negated ? ((RexCall) conjunct).getOperands().getFirst() : conjunct;
    if (!(inner instanceof RexSubQuery subQuery)
        || !isQuantified(subQuery)
        || subQuery.getOperands().stream().anyMatch(o -> RexUtil.SubQueryFinder.find(o) != null)
        || (negated && canBeUnknown(subQuery))
        || ScalarCore.of(subQuery.rel) != null) {
      return false;
    }
    RelNode query = Unnesting.eliminate(subQuery.rel);
    if (ScalarCore.of(query) != null) {
      return false;
    }
    Matches matches = matches(query, subQuery.getKind() == SqlKind.EXISTS);
    List<RexNode> conditions = new ArrayList<>(comparisons(subQuery, matches.columns()));
    conditions.addAll(matches.conditions());
    rel =
        LogicalJoin.create(
            rel,
            conditions.isEmpty() ? builder.push(matches.rel()).limit(0, 1).build() : matches.rel(),
            ImmutableList.of(),
            RexUtil.composeConjunction(rex, conditions),
            Set.of(),
            negated ? JoinRelType.ANTI : JoinRelType.SEMI);
    return true;
  }

  private static boolean isQuantified(RexSubQuery subQuery) {
    return switch (subQuery.getKind()) {
      case EXISTS, IN, SOME -> true;
      default -> false;
    };
  }

  private static boolean canBeUnknown(RexSubQuery subQuery) {
    return subQuery.getKind() != SqlKind.EXISTS
        && (subQuery.getOperands().stream().anyMatch(o -> o.getType().isNullable())
            || subQuery.rel.getRowType().getFieldList().stream()
                .anyMatch(field -> field.getType().isNullable()));
  }

  /** An expression over the rows with its sub-queries replaced by columns of {@link #rel()}. */
  RexNode value(RexNode expression) {
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            return answer((RexSubQuery) super.visitSubQuery(subQuery));
          }
        });
  }

  private RexNode answer(RexSubQuery subQuery) {
    RexNode answer =
        switch (subQuery.getKind()) {
          case SCALAR_QUERY -> scalar(Unnesting.eliminate(subQuery.rel));
          case EXISTS, IN, SOME -> quantified(subQuery, Unnesting.eliminate(subQuery.rel));
          default -> throw Unnesting.unsupported("a sub-query gives a " + subQuery.getType());
        };
    return rex.ensureType(subQuery.getType(), answer, true);
  }

  private RexNode quantified(RexSubQuery subQuery, RelNode query) {
    ScalarCore single = ScalarCore.of(query);
    if (single != null) {
      Row row = row(single);
      RexNode matches = RexUtil.composeConjunction(rex, comparisons(subQuery, row.columns()));
      return row.exists() == null
          ? matches
          : ifExists(row.exists(), matches, rex.makeLiteral(false));
    }
    Matches matches = matches(query, subQuery.getKind() == SqlKind.EXISTS);
    List<RexNode> conditions = new ArrayList<>(comparisons(subQuery, matches.columns()));
    RelNode right = matches.rel();
    for (RexNode condition : matches.conditions()) {
      // Of the pairs, those for which this is not true are none of the sub-query's rows.
      Equality equality = Equality.of(condition, width());
      if (equality == null) {
        conditions.add(
            condition.getType().isNullable()
                ? rex.makeCall(SqlStdOperatorTable.IS_TRUE, condition)
                : condition);
        continue;
      }
      conditions.add(
          rex.makeCall(
              SqlStdOperatorTable.IS_NOT_DISTINCT_FROM, equality.outer(), equality.inner()));
      if (!equality.nullsEqual()) {
        right =
            builder
                .push(right)
                .filter(builder.isNotNull(RexUtil.shift(equality.inner(), -width())))
                .build();
      }
    }
    if (conditions.isEmpty()) {
      right = builder.push(right).limit(0, 1).build();
    }
    rel =
        LogicalJoin.create(
            rel,
            right,
            ImmutableList.of(),
            RexUtil.composeConjunction(rex, conditions),
            Set.of(),
            JoinRelType.LEFT_MARK);
    return column(width() - 1);
  }

  private RexInputRef column(int index) {
    return RexInputRef.of(index, rel.getRowType());
  }

  private RexNode ifExists(RexNode condition, RexNode then, RexNode otherwise) {
    return rex.makeCall(
        SqlStdOperatorTable.CASE,
        rex.makeCall(SqlStdOperatorTable.IS_TRUE, condition),
        then,
        otherwise);
  }

  /** The comparisons of IN and SOME: no operand for EXISTS. */
  private List<RexNode> comparisons(RexSubQuery subQuery, List<RexNode> columns) {
    SqlOperator operator =
        subQuery.op instanceof SqlQuantifyOperator quantifier && subQuery.getKind() == SqlKind.SOME
            ? RelOptUtil.op(quantifier.comparisonKind, SqlStdOperatorTable.EQUALS)
            : SqlStdOperatorTable.EQUALS;
    List<RexNode> conditions = new ArrayList<>();
    for (int i = 0; i < subQuery.getOperands().size(); i++) {
      RexNode outer = subQuery.getOperands().get(i);
      RexNode inner = columns.get(i);
      RelDataType common =
          rex.getTypeFactory().leastRestrictive(List.of(outer.getType(), inner.getType()));
      conditions.add(
          common == null
              ? rex.makeCall(operator, outer, inner)
              : rex.makeCall(operator, cast(outer, common), cast(inner, common)));
    }
    return conditions;
  }

  private RexNode cast(RexNode node, RelDataType type) {
    return rex.ensureType(
        rex.getTypeFactory().createTypeWithNullability(type, node.getType().isNullable()),
        node,
        true);
  }

  /**
   * A sub-query to be joined: its rows for an outer row are those of {@code rel} for which all
   * conditions are true. Columns and conditions are over the outer columns, then those of rel.
   */
  private record Matches(RelNode rel, List<RexNode> columns, List<RexNode> conditions) {}

  private Matches matches(RelNode query, boolean existence) {
    Peeled peeled = Peeled.of(query, variables, existence);
    if (peeled.isFree(variables)) {
      return new Matches(
          peeled.core(),
          peeled.columns().stream().map(this::overPair).toList(),
          peeled.lifted().stream().map(this::overPair).toList());
    }
    Domain.Frame frame = domain(query).push(query);
    List<RexNode> columns = new ArrayList<>();
    for (int column : frame.columns()) {
      columns.add(RexUtil.shift(RexInputRef.of(column, frame.rel().getRowType()), width()));
    }
    return new Matches(frame.rel(), columns, sameOuterRow(frame));
  }

  private Domain domain(RelNode query) {
    return new Domain(input, variables, OuterReferences.in(query, variables), offset);
  }

  private List<RexNode> sameOuterRow(Domain.Frame frame) {
    List<RexNode> conditions = new ArrayList<>();
    for (Map.Entry<Integer, Integer> column : frame.outer().entrySet()) {
      conditions.add(
          rex.makeCall(
              SqlStdOperatorTable.IS_NOT_DISTINCT_FROM,
              column(column.getKey() - offset),
              RexUtil.shift(RexInputRef.of(column.getValue(), frame.rel().getRowType()), width())));
    }
    return conditions;
  }

  /** From an expression over a sub-query's row and the outer variables to one over the pair. */
  private RexNode overPair(RexNode expression) {
    return bound(RexUtil.shift(expression, width()));
  }

  private RexNode bound(RexNode expression) {
    return OuterReferences.bind(expression, variables, this::outer);
  }

  private RexNode outer(RexFieldAccess access) {
    return column(access.getField().getIndex() - offset);
  }

  /** The one row of a sub-query as expressions over the outer rows; whether it is there at all. */
  private record Row(List<RexNode> columns, @Nullable RexNode exists) {}

  private Row row(ScalarCore single) {
    List<RexNode> core =
        switch (single.core()) {
          case Aggregate aggregate -> aggregate(aggregate);
          case Values values -> List.copyOf(values.getTuples().getFirst());
          default -> throw new IllegalStateException("not a single row: " + single.core());
        };
    RexNode having =
        single.having().isEmpty()
            ? null
            : replaced(RexUtil.composeConjunction(rex, single.having()), core);
    return new Row(single.columns().stream().map(c -> replaced(c, core)).toList(), having);
  }

  private RexNode replaced(RexNode expression, List<RexNode> columns) {
    RexNode result =
        expression.accept(
            new RexShuttle() {
              @Override
              public RexNode visitInputRef(RexInputRef column) {
                return columns.get(column.getIndex());
              }
            });
    return bound(result);
  }

  private RexNode scalar(RelNode query) {
    ScalarCore single = ScalarCore.of(query);
    Row row = single == null ? anyRow(query) : row(single);
    RexNode value = row.columns().getFirst();
    return row.exists() == null
        ? value
        : ifExists(row.exists(), value, rex.makeNullLiteral(value.getType()));
  }

  /**
   * A sub-query of any number of rows, of which more than one is an error. Correlated, the rows are
   * counted and the error is raised for an outer row that has them: other groups do not matter.
   */
  private Row anyRow(RelNode query) {
    boolean correlated = OuterReferences.any(query, variables);
    RelNode free = correlated ? SingleRow.withoutPlainLimit(query) : query;
    builder.push(free);
    RexNode column = builder.field(0);
    if (!correlated) {
      builder.aggregate(
          builder.groupKey(), builder.aggregateCall(SqlStdOperatorTable.SINGLE_VALUE, column));
      return new Row(List.of(aggregate((Aggregate) builder.build()).getFirst()), null);
    }
    builder.aggregate(
        builder.groupKey(),
        builder.countStar("rows"),
        builder.aggregateCall(SqlStdOperatorTable.ANY_VALUE, column));
    List<RexNode> results = aggregate((Aggregate) builder.build());
    return new Row(
        List.of(free == query ? rex.makeCall(SingleRow.OPERATOR, results) : results.get(1)), null);
  }

  /** An aggregate without keys: its columns for each outer row, also where it is over no rows. */
  private List<RexNode> aggregate(Aggregate aggregate) {
    Keyed keyed = Keyed.of(aggregate.getInput(), variables);
    RelNode groups;
    List<RexNode> conditions = new ArrayList<>();
    int keys;
    if (keyed != null) {
      keys = keyed.inner().size();
      groups = grouped(keyed.rel(), ImmutableBitSet.range(keys), keyed.columns(), aggregate);
      for (int i = 0; i < keys; i++) {
        RexNode key = RexUtil.shift(RexInputRef.of(i, groups.getRowType()), width());
        conditions.add(rex.makeCall(keyed.operators().get(i), bound(keyed.outer().get(i)), key));
      }
    } else {
      Domain.Frame frame = domain(aggregate.getInput()).push(aggregate.getInput());
      ImmutableBitSet outer = ImmutableBitSet.of(frame.outer().values());
      keys = outer.cardinality();
      groups = grouped(frame.rel(), outer, frame.columns(), aggregate);
      for (Map.Entry<Integer, Integer> column : frame.outer().entrySet()) {
        RexNode key = RexInputRef.of(outer.indexOf(column.getValue()), groups.getRowType());
        conditions.add(
            rex.makeCall(
                SqlStdOperatorTable.IS_NOT_DISTINCT_FROM,
                column(column.getKey() - offset),
                RexUtil.shift(key, width())));
      }
    }
    int first = width() + keys;
    rel =
        LogicalJoin.create(
            rel,
            groups,
            ImmutableList.of(),
            RexUtil.composeConjunction(rex, conditions),
            Set.of(),
            keys == 0 ? JoinRelType.INNER : JoinRelType.LEFT);
    List<RexNode> results = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      RelDataTypeField field = aggregate.getRowType().getFieldList().get(results.size());
      RexNode result = column(first + results.size());
      results.add(
          rex.ensureType(
              field.getType(),
              keys > 0 && Domain.isZeroOverNothing(call) ? Domain.orZero(rex, result) : result,
              true));
    }
    return results;
  }

  private static RelNode grouped(
      RelNode input, ImmutableBitSet keys, List<Integer> columns, Aggregate aggregate) {
    return Domain.grouped(input, keys, ImmutableList.of(keys), columns, aggregate);
  }

  /** A lateral join: the outer rows with those of a query about them. */
  RelNode joinLaterally(RelNode right, JoinRelType type) {
    RelNode query = right;
    ScalarCore single = type == JoinRelType.INNER ? ScalarCore.of(query) : null;
    int columns = width();
    if (single != null && OuterReferences.any(query, variables)) {
      Row row = row(single);
      if (row.exists() != null) {
        rel = LogicalFilter.create(rel, row.exists());
      }
      return outerAnd(columns, row.columns(), right);
    }
    boolean plain = !OuterReferences.any(query, variables);
    Peeled peeled = Peeled.of(query, variables, false);
    boolean nullsExtend =
        type == JoinRelType.INNER
            || peeled.columns().stream().allMatch(RexInputRef.class::isInstance);
    Matches matches;
    if (plain) {
      matches = new Matches(query, List.of(), List.of());
    } else if (peeled.isFree(variables) && nullsExtend) {
      matches = matches(query, false);
    } else {
      Domain.Frame frame = domain(query).push(query);
      List<RexNode> own = new ArrayList<>();
      for (int column : frame.columns()) {
        own.add(RexUtil.shift(RexInputRef.of(column, frame.rel().getRowType()), columns));
      }
      matches = new Matches(frame.rel(), own, sameOuterRow(frame));
    }
    rel =
        LogicalJoin.create(
            rel,
            matches.rel(),
            ImmutableList.of(),
            RexUtil.composeConjunction(rex, matches.conditions()),
            Set.of(),
            type);
    return plain ? rel : outerAnd(columns, matches.columns(), right);
  }

  private RelNode outerAnd(int outerColumns, List<RexNode> others, RelNode right) {
    builder.push(rel);
    List<RexNode> all = new ArrayList<>(builder.fields().subList(0, outerColumns));
    for (RexNode other : others) {
      all.add(other instanceof RexInputRef column ? builder.field(column.getIndex()) : other);
    }
    List<String> names = new ArrayList<>(rel.getRowType().getFieldNames().subList(0, outerColumns));
    names.addAll(right.getRowType().getFieldNames());
    return builder.project(all, names, true).build();
  }
}
