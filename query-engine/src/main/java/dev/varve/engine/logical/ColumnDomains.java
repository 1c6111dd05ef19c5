package dev.varve.engine.logical;

import dev.varve.engine.properties.ColumnSpread;
import dev.varve.engine.sql.TableEstimates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * How the values of a column lie: found at the table that it comes from. Conditions on other
 * columns do not change the domain that a column draws from; those on itself do.
 */
final class ColumnDomains {
  private final RelMetadataQuery metadata;

  ColumnDomains(RelMetadataQuery metadata) {
    this.metadata = metadata;
  }

  ColumnSpread of(RelNode node, int column) {
    return of(node, column, List.of());
  }

  private ColumnSpread of(RelNode node, int column, List<RexNode> conditions) {
    RelNode rel = node.stripped();
    return switch (rel) {
      case TableScan scan -> {
        TableEstimates table = scan.getTable().unwrap(TableEstimates.class);
        yield table == null ? unknown(rel) : table.domain(column, conditions);
      }
      case Filter filter -> {
        List<RexNode> all = new ArrayList<>(conditions);
        all.addAll(RelOptUtil.conjunctions(filter.getCondition()));
        yield of(filter.getInput(), column, all);
      }
      case Project project ->
          project.getProjects().get(column) instanceof RexInputRef ref
              ? of(project.getInput(), ref.getIndex())
              : unknown(rel);
      case Sort sort -> of(sort.getInput(), column);
      case Join join -> {
        int left = join.getLeft().getRowType().getFieldCount();
        yield column < left
            ? of(join.getLeft(), column)
            : column < left + join.getRight().getRowType().getFieldCount()
                ? of(join.getRight(), column - left)
                : unknown(rel);
      }
      case Aggregate aggregate ->
          column < aggregate.getGroupCount()
              ? of(aggregate.getInput(), aggregate.getGroupSet().nth(column))
              : unknown(rel);
      default -> unknown(rel);
    };
  }

  /** Combinations of some columns' values, as if they were independent. */
  double combinations(RelNode node, ImmutableBitSet columns) {
    double combinations = 1;
    for (int column : columns) {
      ColumnSpread spread = of(node, column);
      combinations *= spread.domain() + (spread.nullFraction() > 0 ? 1 : 0);
    }
    return combinations;
  }

  private ColumnSpread unknown(RelNode rel) {
    return new ColumnSpread(
        Math.max(1, metadata.getRowCount(rel)),
        0,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Optional.empty(),
        false,
        0);
  }
}
