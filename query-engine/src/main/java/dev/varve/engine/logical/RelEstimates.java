package dev.varve.engine.logical;

import dev.varve.engine.sql.TableEstimates;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinInfo;
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
 * Row counts from the tables' statistics instead of Calcite's guesses. The provider is one object
 * for ever: its handlers are compiled once per kind.
 */
final class RelEstimates {
  /** Share of pairs that a condition which is no equality keeps. */
  private static final double NON_EQUALITY = 0.3;

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
                  DefaultRelMetadataProvider.INSTANCE)));

  private RelEstimates() {}

  private static @Nullable TableEstimates estimates(TableScan scan) {
    return scan.getTable().unwrap(TableEstimates.class);
  }

  /** Calcite finds these methods by reflection, by the class of their first parameter. */
  public static final class Rows extends RelMdRowCount {
    /** |L| * |R| / max(distinct L keys, distinct R keys), key by key. */
    @Override
    public @Nullable Double getRowCount(Join join, RelMetadataQuery mq) {
      double left = mq.getRowCount(join.getLeft());
      double right = mq.getRowCount(join.getRight());
      JoinInfo keys = join.analyzeCondition();
      double matching = left * right;
      double matchedShare = 1;
      for (int i = 0; i < keys.leftKeys.size(); i++) {
        double leftDistinct = distinct(mq, join.getLeft(), keys.leftKeys.get(i), left);
        double rightDistinct = distinct(mq, join.getRight(), keys.rightKeys.get(i), right);
        matching /= Math.max(1, Math.max(leftDistinct, rightDistinct));
        matchedShare =
            Math.min(matchedShare, Math.min(1, rightDistinct / Math.max(1, leftDistinct)));
      }
      double others = Math.pow(NON_EQUALITY, keys.nonEquiConditions.size());
      matching = Math.max(1, matching * others);
      return switch (join.getJoinType()) {
        case INNER -> matching;
        case LEFT -> Math.max(left, matching);
        case RIGHT -> Math.max(right, matching);
        case FULL -> Math.max(left + right, matching);
        case SEMI -> Math.max(1, left * matchedShare * others);
        case ANTI -> Math.max(1, left * (1 - matchedShare * others * 0.9));
        case LEFT_MARK -> left;
        default -> super.getRowCount(join, mq);
      };
    }

    private static double distinct(RelMetadataQuery mq, RelNode input, int column, double rows) {
      Double distinct = mq.getDistinctRowCount(input, ImmutableBitSet.of(column), null);
      return distinct == null ? rows : Math.min(distinct, rows);
    }
  }

  public static final class Selectivity extends RelMdSelectivity {
    @Override
    public @Nullable Double getSelectivity(
        TableScan scan, RelMetadataQuery mq, @Nullable RexNode predicate) {
      TableEstimates estimates = estimates(scan);
      return estimates == null ? Double.valueOf(1) : (Double) estimates.selectivity(predicate);
    }
  }

  public static final class Distinct extends RelMdDistinctRowCount {
    @Override
    public @Nullable Double getDistinctRowCount(
        TableScan scan, RelMetadataQuery mq, ImmutableBitSet columns, @Nullable RexNode predicate) {
      TableEstimates estimates = estimates(scan);
      return estimates == null ? null : (Double) estimates.distinctRows(columns, predicate);
    }
  }
}
