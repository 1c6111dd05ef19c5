package dev.varve.engine.operator;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What every join says about its output, from its type. */
final class JoinFacts {
  private JoinFacts() {}

  static Schema schema(PhysicalPlan left, PhysicalPlan right, JoinType type) {
    Schema build = type.preservesRight() ? left.schema().nullable() : left.schema();
    Schema probe = type.preservesLeft() ? right.schema().nullable() : right.schema();
    if (!type.keepsLeftColumns()) {
      return probe;
    }
    return type.keepsRightColumns() ? build.concat(probe) : build;
  }

  /**
   * The order of the probe side, where left rows do not come at the end; of an inner join also the
   * equality of the keys.
   *
   * @param sharesBuild whether each partition of the probe side meets all partitions of the other
   */
  static EquivalenceProperties equivalences(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      JoinType type,
      boolean sharesBuild,
      Schema schema) {
    // What is constant within each partition of the build side is not in all of them together.
    EquivalenceProperties build =
        left.properties().partitioning().count() > 1 && sharesBuild
            ? left.properties().equivalences().withoutPartitionConstants()
            : left.properties().equivalences();
    EquivalenceProperties probe = right.properties().equivalences();
    if (!type.keepsLeftColumns()) {
      return probe;
    }
    if (!type.keepsRightColumns()) {
      return build.withoutOrderings();
    }
    EquivalenceProperties facts =
        EquivalenceProperties.ofJoin(
            build,
            type.preservesRight(),
            false,
            probe,
            type.preservesLeft(),
            !type.emitsLeftAtEnd(),
            schema);
    if (type == JoinType.INNER) {
      for (JoinKey key : on) {
        PhysicalExpr other = Exprs.shift(key.right(), left.schema().size());
        facts =
            key.nullsEqual()
                ? facts.withSame(key.left(), other)
                : facts.withEqual(key.left(), other);
      }
    }
    return facts;
  }

  /** The positions among left ++ right of what a join of this type gives. */
  static List<Integer> outputColumns(Schema left, Schema right, JoinType type) {
    int from = type.keepsLeftColumns() ? 0 : left.size();
    int to = type.keepsRightColumns() ? left.size() + right.size() : left.size();
    return IntStream.range(from, to).boxed().toList();
  }

  /** Where each column of left ++ right is in right ++ left. */
  static int[] swappedColumns(Schema left, Schema right) {
    int[] mapping = new int[left.size() + right.size()];
    for (int i = 0; i < mapping.length; i++) {
      mapping[i] = i < left.size() ? right.size() + i : i - left.size();
    }
    return mapping;
  }

  /** The columns of {@code original} from a join of its exchanged sides. */
  static PhysicalPlan restoreColumns(
      PhysicalPlan swapped, PhysicalPlan original, JoinType type, int[] mapping) {
    if (!type.keepsLeftColumns() || !type.keepsRightColumns()) {
      return swapped;
    }
    List<NamedExpr> columns = new ArrayList<>();
    for (int i = 0; i < mapping.length; i++) {
      columns.add(
          new NamedExpr(
              ColumnExpr.of(swapped.schema(), mapping[i]), original.schema().field(i).name()));
    }
    return new ProjectionExec(swapped, columns);
  }

  /**
   * A condition on one side's columns goes to that side, unless the join adds rows of that side
   * extended with nulls, or reports the other side's rows that did not match it.
   */
  static FilterPushdown.Description filters(
      Schema left, Schema right, JoinType type, List<PhysicalExpr> parentFilters) {
    List<Optional<PhysicalExpr>> toLeft = new ArrayList<>();
    List<Optional<PhysicalExpr>> toRight = new ArrayList<>();
    int offset = type.keepsLeftColumns() ? left.size() : 0;
    for (PhysicalExpr filter : parentFilters) {
      boolean usesColumns = !Exprs.columns(filter).isEmpty();
      boolean movable = usesColumns && ColumnRewrite.movable(filter);
      toLeft.add(
          movable && type.filtersPassLeft() && type.keepsLeftColumns()
              ? ColumnRewrite.window(filter, 0, left)
              : Optional.empty());
      toRight.add(
          movable && type.filtersPassRight() && type.keepsRightColumns()
              ? ColumnRewrite.window(filter, offset, right)
              : Optional.empty());
    }
    return new FilterPushdown.Description(
        List.of(
            new FilterPushdown.ChildFilters(toLeft, List.of()),
            new FilterPushdown.ChildFilters(toRight, List.of())));
  }

  /** An order of the output that is one of the probe side is asked of that side. */
  static SortPushdown sort(PhysicalPlan join, JoinType type, LexOrdering request) {
    PhysicalPlan left = join.children().get(0);
    PhysicalPlan right = join.children().get(1);
    if (type.emitsLeftAtEnd()) {
      return SortPushdown.UNSUPPORTED;
    }
    int offset = type.keepsLeftColumns() ? left.schema().size() : 0;
    List<SortExpr> keys = new ArrayList<>();
    for (SortExpr key : request.keys()) {
      Optional<PhysicalExpr> below = ColumnRewrite.window(key.expr(), offset, right.schema());
      if (below.isEmpty() || below.get().volatility() == Volatility.VOLATILE) {
        return SortPushdown.UNSUPPORTED;
      }
      keys.add(new SortExpr(below.get(), key.options()));
    }
    return PassThrough.sort(
        right, new LexOrdering(keys), changed -> join.withChildren(List.of(left, changed)));
  }

  /** A filter went to one side at most: what that side made of it holds. */
  static FilterPushdown.Result outcomes(
      PhysicalPlan join,
      List<PhysicalExpr> parentFilters,
      List<FilterPushdown.ChildOutcome> outcomes) {
    List<FilterPushdown.Outcome> combined = new ArrayList<>();
    for (int i = 0; i < parentFilters.size(); i++) {
      FilterPushdown.Outcome best = FilterPushdown.Outcome.UNSUPPORTED;
      for (FilterPushdown.ChildOutcome outcome : outcomes) {
        FilterPushdown.Outcome one = outcome.parentFilters().get(i);
        best = one.compareTo(best) < 0 ? one : best;
      }
      combined.add(best);
    }
    return new FilterPushdown.Result(join, combined);
  }
}
