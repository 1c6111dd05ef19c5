package dev.varve.engine.logical;

import dev.varve.engine.sql.PredicateEstimate;
import dev.varve.engine.sql.TableEstimates;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.ChainedRelMetadataProvider;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.JaninoRelMetadataProvider;
import org.apache.calcite.rel.metadata.ReflectiveRelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMdDistinctRowCount;
import org.apache.calcite.rel.metadata.RelMdRowCount;
import org.apache.calcite.rel.metadata.RelMdSelectivity;
import org.apache.calcite.rel.metadata.RelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Row counts from the tables' statistics instead of Calcite's guesses, and what Calcite does not
 * know of our joins. The provider is one object for ever: its handlers are compiled once per kind.
 */
final class RelEstimates {
  /** Share of pairs that a condition which is no equality keeps. */
  static final double NON_EQUALITY = 0.3;

  /** Rows of an anti join that are assumed to remain though all keys seem to match. */
  static final double LEAST_ANTI_SHARE = 0.1;

  static final JaninoRelMetadataProvider PROVIDER =
      JaninoRelMetadataProvider.of(
          ChainedRelMetadataProvider.of(
              List.<RelMetadataProvider>of(
                  ReflectiveRelMetadataProvider.reflectiveSource(
                      new Rows(), BuiltInMetadata.RowCount.Handler.class),
                  ReflectiveRelMetadataProvider.reflectiveSource(
                      new Selectivity(), BuiltInMetadata.Selectivity.Handler.class),
                  ReflectiveRelMetadataProvider.reflectiveSource(
                      new Distinct(), BuiltInMetadata.DistinctRowCount.Handler.class),
                  ReflectiveRelMetadataProvider.reflectiveSource(
                      new KnownPredicates(), BuiltInMetadata.Predicates.Handler.class),
                  ReflectiveRelMetadataProvider.reflectiveSource(
                      new MarkJoinFacts.Uniqueness(),
                      BuiltInMetadata.ColumnUniqueness.Handler.class),
                  ReflectiveRelMetadataProvider.reflectiveSource(
                      new MarkJoinFacts.UniqueKeys(), BuiltInMetadata.UniqueKeys.Handler.class),
                  ReflectiveRelMetadataProvider.reflectiveSource(
                      new MarkJoinFacts.MostRows(), BuiltInMetadata.MaxRowCount.Handler.class),
                  ReflectiveRelMetadataProvider.reflectiveSource(
                      new MarkJoinFacts.LeastRows(), BuiltInMetadata.MinRowCount.Handler.class),
                  DefaultRelMetadataProvider.INSTANCE)));

  private RelEstimates() {}

  private static @Nullable TableEstimates estimates(TableScan scan) {
    return scan.getTable().unwrap(TableEstimates.class);
  }

  /** Calcite finds these methods by reflection, by the class of their first parameter. */
  public static final class Rows extends RelMdRowCount {
    @Override
    public @Nullable Double getRowCount(Join join, RelMetadataQuery mq) {
      double left = Math.max(1, mq.getRowCount(join.getLeft()));
      double right = Math.max(1, mq.getRowCount(join.getRight()));
      JoinInfo info = join.analyzeCondition();
      ColumnDomains domains = new ColumnDomains(mq);
      JoinKeys keys = new JoinKeys();
      for (int i = 0; i < info.leftKeys.size(); i++) {
        keys.add(
            domains.of(join.getLeft(), info.leftKeys.get(i)),
            domains.of(join.getRight(), info.rightKeys.get(i)));
      }
      double others = Math.pow(NON_EQUALITY, info.nonEquiConditions.size());
      double matching = Math.max(1, left * right / keys.divisor() * others);
      double matchedShare = keys.isEmpty() ? others : keys.matchedShare(right) * others;
      return switch (join.getJoinType()) {
        case INNER -> matching;
        case LEFT -> Math.max(left, matching);
        case RIGHT -> Math.max(right, matching);
        case FULL -> Math.max(Math.max(left, right), matching);
        case SEMI -> Math.max(1, left * matchedShare);
        case ANTI -> Math.max(1, left * Math.max(LEAST_ANTI_SHARE, 1 - matchedShare));
        case LEFT_MARK -> left;
        default -> super.getRowCount(join, mq);
      };
    }

    @Override
    public @Nullable Double getRowCount(Aggregate aggregate, RelMetadataQuery mq) {
      double rows = Math.max(1, mq.getRowCount(aggregate.getInput()));
      double groups =
          new ColumnDomains(mq).combinations(aggregate.getInput(), aggregate.getGroupSet());
      return Math.min(groups, rows) * aggregate.getGroupSets().size();
    }
  }

  public static final class Selectivity extends RelMdSelectivity {
    @Override
    public @Nullable Double getSelectivity(
        TableScan scan, RelMetadataQuery mq, @Nullable RexNode predicate) {
      TableEstimates estimates = estimates(scan);
      return estimates == null ? Double.valueOf(1) : (Double) estimates.selectivity(predicate);
    }

    @Override
    public @Nullable Double getSelectivity(
        Join join, RelMetadataQuery mq, @Nullable RexNode predicate) {
      return getSelectivity((RelNode) join, mq, predicate);
    }

    @Override
    public @Nullable Double getSelectivity(
        Aggregate aggregate, RelMetadataQuery mq, @Nullable RexNode predicate) {
      return getSelectivity((RelNode) aggregate, mq, predicate);
    }

    @Override
    public @Nullable Double getSelectivity(
        Project project, RelMetadataQuery mq, @Nullable RexNode predicate) {
      return getSelectivity((RelNode) project, mq, predicate);
    }

    @Override
    public @Nullable Double getSelectivity(
        RelNode rel, RelMetadataQuery mq, @Nullable RexNode predicate) {
      ColumnDomains domains = new ColumnDomains(mq);
      return predicate == null
          ? 1.0
          : PredicateEstimate.share(predicate, column -> domains.of(rel, column));
    }
  }

  public static final class Distinct extends RelMdDistinctRowCount {
    @Override
    public @Nullable Double getDistinctRowCount(
        TableScan scan, RelMetadataQuery mq, ImmutableBitSet columns, @Nullable RexNode predicate) {
      TableEstimates estimates = estimates(scan);
      return estimates == null ? null : (Double) estimates.distinctRows(columns, predicate);
    }

    @Override
    public @Nullable Double getDistinctRowCount(
        Join join, RelMetadataQuery mq, ImmutableBitSet columns, @Nullable RexNode predicate) {
      double rows = Math.max(1, mq.getRowCount(join));
      Double kept = predicate == null ? Double.valueOf(1) : mq.getSelectivity(join, predicate);
      return Math.min(
          new ColumnDomains(mq).combinations(join, columns),
          Math.max(1, rows * (kept == null ? 1 : kept)));
    }
  }
}
