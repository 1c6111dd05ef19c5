package dev.varve.engine.logical;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * ORDER BY and LIMIT for each group of rows with equal keys: what becomes of a sub-query's own when
 * it is evaluated for all outer rows at once. Columns are the input's.
 */
public final class GroupLimit extends SingleRel {
  private final ImmutableBitSet keys;
  private final RelCollation order;
  private final @Nullable RexNode offset;
  private final @Nullable RexNode fetch;

  private GroupLimit(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      ImmutableBitSet keys,
      RelCollation order,
      @Nullable RexNode offset,
      @Nullable RexNode fetch) {
    super(cluster, traits, input);
    this.keys = keys;
    this.order = order;
    this.offset = offset;
    this.fetch = fetch;
  }

  static GroupLimit create(
      RelNode input,
      ImmutableBitSet keys,
      RelCollation order,
      @Nullable RexNode offset,
      @Nullable RexNode fetch) {
    return new GroupLimit(
        input.getCluster(), input.getCluster().traitSet(), input, keys, order, offset, fetch);
  }

  public ImmutableBitSet keys() {
    return keys;
  }

  public RelCollation order() {
    return order;
  }

  public @Nullable RexNode offset() {
    return offset;
  }

  public @Nullable RexNode fetch() {
    return fetch;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new GroupLimit(getCluster(), traits, inputs.getFirst(), keys, order, offset, fetch);
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    return mq.getRowCount(getInput());
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("keys", keys)
        .item("order", order)
        .itemIf("offset", offset, offset != null)
        .itemIf("fetch", fetch, fetch != null);
  }
}
