package dev.varve.engine.logical;

import dev.varve.engine.logical.JoinSearch.Tree;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/**
 * Orders joins by estimated rows: each cluster of joins that can change places is taken apart,
 * searched, and put together again. Inputs of a cluster are ordered before it.
 */
final class JoinOrder {
  private JoinOrder() {}

  static RelNode choose(RelNode plan) {
    if (!JoinCluster.isPart(plan)) {
      List<RelNode> inputs = new ArrayList<>();
      boolean changed = false;
      for (RelNode input : plan.getInputs()) {
        RelNode ordered = choose(input);
        changed |= ordered != input;
        inputs.add(ordered);
      }
      return changed ? plan.copy(plan.getTraitSet(), inputs) : plan;
    }
    JoinCluster cluster = JoinCluster.of(plan, JoinOrder::choose);
    if (cluster.relations().size() > Long.SIZE) {
      return plan;
    }
    RelMetadataQuery metadata = plan.getCluster().getMetadataQuery();
    JoinGraph graph = new JoinGraph(cluster, metadata);
    Tree best = JoinSearch.best(graph);
    return JoinTree.build(graph, best, plan);
  }
}
