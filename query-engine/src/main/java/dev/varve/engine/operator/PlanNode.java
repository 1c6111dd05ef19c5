package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of this package share: the values computed at construction, their counters, and
 * the check of declared orders around their streams.
 */
abstract class PlanNode implements PhysicalPlan {
  private final Schema schema;
  private final List<PhysicalPlan> children;
  private final PlanProperties properties;
  private final MetricSet metrics = new MetricSet();

  /** Computed when first asked for; the same value whoever computes it. */
  private @Nullable Statistics statistics;

  PlanNode(Schema schema, List<PhysicalPlan> children, PlanProperties properties) {
    this.schema = schema;
    this.children = List.copyOf(children);
    this.properties = properties;
  }

  @Override
  public final String name() {
    return getClass().getSimpleName();
  }

  @Override
  public final Schema schema() {
    return schema;
  }

  @Override
  public final List<PhysicalPlan> children() {
    return children;
  }

  final PhysicalPlan child() {
    return children.get(0);
  }

  @Override
  public final PhysicalPlan withChildren(List<PhysicalPlan> replacement) {
    if (replacement.size() != children.size()) {
      throw new IllegalStateException(
          name() + " has " + children.size() + " children, not " + replacement.size());
    }
    for (int i = 0; i < children.size(); i++) {
      if (children.get(i) != replacement.get(i)) {
        return over(replacement);
      }
    }
    return this;
  }

  /** This node over other children. */
  abstract PhysicalPlan over(List<PhysicalPlan> replacement);

  @Override
  public final PlanProperties properties() {
    return properties;
  }

  @Override
  public final Statistics statistics() {
    Statistics known = statistics;
    if (known == null) {
      known = estimate();
      statistics = known;
    }
    return known;
  }

  /** The node's statistics, from those of its children; asked for at most once. */
  Statistics estimate() {
    return Statistics.unknown(schema);
  }

  final int partitions() {
    return properties.partitioning().count();
  }

  @Override
  public final MetricSet metrics() {
    return metrics;
  }

  @Override
  public final BatchStream execute(int partition, TaskContext context) {
    if (partition < 0 || partition >= partitions()) {
      throw new IllegalStateException(
          name() + " has " + partitions() + " partitions, not one numbered " + partition);
    }
    BatchStream stream = open(partition, context);
    return context.query().settings().get(EngineSettings.CHECK_ORDER)
        ? OrderCheckedStream.of(this, stream, context)
        : stream;
  }

  /** The node's own stream of one partition. */
  abstract BatchStream open(int partition, TaskContext context);

  @Override
  public final String toString() {
    return details().isEmpty() ? name() : name() + ": " + details();
  }
}
