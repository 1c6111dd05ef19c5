package dev.varve.engine.logical;

import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.RelMdColumnUniqueness;
import org.apache.calcite.rel.metadata.RelMdMaxRowCount;
import org.apache.calcite.rel.metadata.RelMdMinRowCount;
import org.apache.calcite.rel.metadata.RelMdUniqueKeys;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * What a mark join says of its rows: they are those of its left side, each with one more column,
 * which makes nothing unique. Calcite takes that column for one of the right side, and would have a
 * DISTINCT of marks, or their GROUP BY, for unique where the right side's first column is.
 */
final class MarkJoinFacts {
  private MarkJoinFacts() {}

  private static boolean isMark(Join join) {
    return join.getJoinType() == JoinRelType.LEFT_MARK;
  }

  /** Calcite finds these methods by reflection, by the class of their first parameter. */
  public static final class Uniqueness implements BuiltInMetadata.ColumnUniqueness.Handler {
    // The class cannot be extended.
    private static final RelMdColumnUniqueness CALCITE =
        (RelMdColumnUniqueness)
            RelMdColumnUniqueness.SOURCE
                .handlers(BuiltInMetadata.ColumnUniqueness.Handler.class)
                .getFirst();

    /** Of kinds of nodes that nobody knows. */
    @Override
    public @Nullable Boolean areColumnsUnique(
        RelNode node, RelMetadataQuery mq, ImmutableBitSet columns, boolean ignoreNulls) {
      return CALCITE.areColumnsUnique(node, mq, columns, ignoreNulls);
    }

    public @Nullable Boolean areColumnsUnique(
        Join join, RelMetadataQuery mq, ImmutableBitSet columns, boolean ignoreNulls) {
      if (!isMark(join)) {
        return CALCITE.areColumnsUnique(join, mq, columns, ignoreNulls);
      }
      ImmutableBitSet ofLeft =
          columns.intersect(ImmutableBitSet.range(join.getLeft().getRowType().getFieldCount()));
      return mq.areColumnsUnique(join.getLeft(), ofLeft, ignoreNulls);
    }
  }

  public static final class UniqueKeys extends RelMdUniqueKeys {
    @Override
    public @Nullable Set<ImmutableBitSet> getUniqueKeys(
        Join join, RelMetadataQuery mq, boolean ignoreNulls) {
      return isMark(join)
          ? mq.getUniqueKeys(join.getLeft(), ignoreNulls)
          : super.getUniqueKeys(join, mq, ignoreNulls);
    }
  }

  public static final class MostRows extends RelMdMaxRowCount {
    @Override
    public @Nullable Double getMaxRowCount(Join join, RelMetadataQuery mq) {
      return isMark(join) ? mq.getMaxRowCount(join.getLeft()) : super.getMaxRowCount(join, mq);
    }
  }

  public static final class LeastRows extends RelMdMinRowCount {
    @Override
    public Double getMinRowCount(Join join, RelMetadataQuery mq) {
      Double least = isMark(join) ? mq.getMinRowCount(join.getLeft()) : null;
      return least == null ? super.getMinRowCount(join, mq) : least;
    }
  }
}
