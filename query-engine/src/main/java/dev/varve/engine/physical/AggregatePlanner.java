package dev.varve.engine.physical;

import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.CoalesceExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.operator.AggregateExec;
import dev.varve.engine.operator.AggregateExpr;
import dev.varve.engine.operator.AggregateFunctions;
import dev.varve.engine.operator.AggregateMode;
import dev.varve.engine.operator.ProjectionExec;
import dev.varve.engine.operator.UnionExec;
import dev.varve.engine.physical.PhysicalPlanner.Translation;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * GROUP BY. Each grouping set is an aggregation of its own, whose output is widened to all group
 * columns by nulls; several are united. A projection gives results the types and columns that the
 * logical plan has: what depends on the grouping set alone ({@code GROUPING}) is a literal there.
 */
final class AggregatePlanner {
  private final Translation translation;

  AggregatePlanner(Translation translation) {
    this.translation = translation;
  }

  PhysicalPlan plan(Aggregate aggregate) {
    List<PhysicalPlan> sets = new ArrayList<>();
    for (ImmutableBitSet set : aggregate.getGroupSets()) {
      // Each set reads an input of its own: nodes of a plan are not shared.
      sets.add(planSet(aggregate, set, translation.plan(aggregate.getInput())));
    }
    return sets.size() == 1 ? sets.get(0) : new UnionExec(sets);
  }

  private PhysicalPlan planSet(Aggregate aggregate, ImmutableBitSet set, PhysicalPlan input) {
    Schema wanted = ValuesPlanner.schema(aggregate.getRowType());
    List<NamedExpr> groups = new ArrayList<>();
    List<Integer> groupColumns = aggregate.getGroupSet().asList();
    for (int i = 0; i < groupColumns.size(); i++) {
      if (set.get(groupColumns.get(i))) {
        groups.add(
            new NamedExpr(
                ColumnExpr.of(input.schema(), groupColumns.get(i)), wanted.field(i).name()));
      }
    }
    List<AggregateExpr> computed = new ArrayList<>();
    List<AggregateCall> calls = aggregate.getAggCallList();
    for (int i = 0; i < calls.size(); i++) {
      if (!isKnownBefore(calls.get(i))) {
        computed.add(
            aggregate(calls.get(i), input.schema(), wanted.field(groupColumns.size() + i).name()));
      }
    }
    PhysicalPlan aggregated = overUsedColumns(groups, computed, input);
    return shaped(aggregate, set, aggregated, wanted, groups.size());
  }

  /** The aggregation over no more columns than it looks at, for {@code count(*)} none. */
  private static PhysicalPlan overUsedColumns(
      List<NamedExpr> groups, List<AggregateExpr> computed, PhysicalPlan input) {
    BitSet used = new BitSet();
    groups.forEach(g -> Exprs.collectColumns(g.expr(), used));
    for (AggregateExpr call : computed) {
      call.arguments().forEach(a -> Exprs.collectColumns(a, used));
      call.filter().ifPresent(f -> Exprs.collectColumns(f, used));
    }
    if (used.cardinality() == input.schema().size()) {
      return new AggregateExec(AggregateMode.SINGLE, groups, computed, input);
    }
    int[] mapping = new int[input.schema().size()];
    List<NamedExpr> columns = new ArrayList<>();
    for (int column = used.nextSetBit(0); column >= 0; column = used.nextSetBit(column + 1)) {
      mapping[column] = columns.size();
      ColumnExpr kept = ColumnExpr.of(input.schema(), column);
      columns.add(new NamedExpr(kept, kept.name()));
    }
    return new AggregateExec(
        AggregateMode.SINGLE,
        groups.stream().map(g -> new NamedExpr(Exprs.remap(g.expr(), mapping), g.name())).toList(),
        computed.stream()
            .map(
                call ->
                    new AggregateExpr(
                        call.function(),
                        call.arguments().stream().map(a -> Exprs.remap(a, mapping)).toList(),
                        call.filter().map(f -> Exprs.remap(f, mapping)),
                        call.name()))
            .toList(),
        new ProjectionExec(input, columns));
  }

  /** The logical plan's columns from those that were computed. */
  private PhysicalPlan shaped(
      Aggregate aggregate,
      ImmutableBitSet set,
      PhysicalPlan aggregated,
      Schema wanted,
      int groupCount) {
    List<NamedExpr> columns = new ArrayList<>();
    List<Integer> groupColumns = aggregate.getGroupSet().asList();
    int nextGroup = 0;
    for (int i = 0; i < groupColumns.size(); i++) {
      PhysicalExpr column =
          set.get(groupColumns.get(i))
              ? ColumnExpr.of(aggregated.schema(), nextGroup++)
              : LiteralExpr.ofNull(wanted.type(i));
      columns.add(new NamedExpr(column, wanted.field(i).name()));
    }
    int nextResult = groupCount;
    for (int i = 0; i < aggregate.getAggCallList().size(); i++) {
      AggregateCall call = aggregate.getAggCallList().get(i);
      int position = groupColumns.size() + i;
      DataType type = wanted.type(position);
      PhysicalExpr result =
          isKnownBefore(call)
              ? knownBefore(call, aggregate, set, type)
              : ColumnExpr.of(aggregated.schema(), nextResult++);
      if (call.getAggregation().getKind() == SqlKind.SUM0) {
        result =
            new CoalesceExpr(
                List.of(
                    CastExpr.to(result, type),
                    CastExpr.to(new LiteralExpr(0, DataType.INTEGER), type)));
      }
      columns.add(new NamedExpr(CastExpr.to(result, type), wanted.field(position).name()));
    }
    return isIdentity(columns, aggregated.schema())
        ? aggregated
        : new ProjectionExec(aggregated, columns);
  }

  private static boolean isIdentity(List<NamedExpr> columns, Schema schema) {
    for (int i = 0; i < columns.size(); i++) {
      if (!(columns.get(i).expr() instanceof ColumnExpr column) || column.index() != i) {
        return false;
      }
    }
    return columns.size() == schema.size();
  }

  private static boolean isKnownBefore(AggregateCall call) {
    return switch (call.getAggregation().getKind()) {
      case GROUPING, GROUPING_ID, GROUP_ID, LITERAL_AGG -> true;
      default -> false;
    };
  }

  private PhysicalExpr knownBefore(
      AggregateCall call, Aggregate aggregate, ImmutableBitSet set, DataType type) {
    return switch (call.getAggregation().getKind()) {
      case GROUPING, GROUPING_ID -> {
        long bits = 0;
        for (int argument : call.getArgList()) {
          bits = bits << 1 | (set.get(argument) ? 0 : 1);
        }
        yield new LiteralExpr(bits, type);
      }
      case GROUP_ID -> {
        if (aggregate.getGroupSets().stream().distinct().count()
            != aggregate.getGroupSets().size()) {
          throw Translation.unsupported("GROUP_ID over repeated grouping sets");
        }
        yield new LiteralExpr(0L, type);
      }
      default -> translation.expression(call.rexList.get(0), Schema.EMPTY);
    };
  }

  private AggregateExpr aggregate(AggregateCall call, Schema input, String name) {
    SqlKind kind = call.getAggregation().getKind();
    boolean duplicatesDoNotMatter =
        switch (kind) {
          case MIN, MAX, ANY_VALUE, BIT_AND, BIT_OR -> true;
          default -> false;
        };
    String function = kind == SqlKind.SUM0 ? "sum" : call.getAggregation().getName();
    if (call.isDistinct() && !duplicatesDoNotMatter) {
      throw new IllegalStateException(
          "the logical plan has the distinct aggregate " + call + ", which is rewritten there");
    }
    if (!call.getCollation().getFieldCollations().isEmpty()) {
      throw Translation.unsupported("an ordered aggregate (" + function + ")");
    }
    List<PhysicalExpr> arguments = new ArrayList<>();
    for (int argument : call.getArgList()) {
      arguments.add(ColumnExpr.of(input, argument));
    }
    Optional<PhysicalExpr> filter =
        call.filterArg < 0 ? Optional.empty() : Optional.of(ColumnExpr.of(input, call.filterArg));
    return new AggregateExpr(
        AggregateFunctions.resolve(function, arguments.stream().map(PhysicalExpr::type).toList()),
        arguments,
        filter,
        name);
  }
}
