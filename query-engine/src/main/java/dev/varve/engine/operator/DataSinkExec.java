package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.port.SinkPlan;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.Optional;

/** Gives its input's rows to a sink, in the order the sink wants, and says how many they were. */
public final class DataSinkExec extends PlanNode {
  private static final Schema RESULT = Schema.of(Field.of("rows", DataType.BIGINT, false));

  private final SinkPlan sink;

  public DataSinkExec(PhysicalPlan input, SinkPlan sink) {
    super(
        RESULT,
        List.of(input),
        PlanProperties.of(new Partitioning.Unknown(1), EquivalenceProperties.of(RESULT)));
    this.sink = sink;
  }

  public SinkPlan sink() {
    return sink;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new DataSinkExec(replacement.get(0), sink);
  }

  @Override
  public DistributionRequirements inputDistributionRequirements() {
    return DistributionRequirements.of(Distribution.SINGLE);
  }

  @Override
  public List<Optional<LexOrdering>> requiredInputOrdering() {
    List<SortExpr> keys =
        sink.requiredOrdering().stream()
            .map(k -> new SortExpr(ColumnExpr.of(child().schema(), k.column()), k.options()))
            .toList();
    return List.of(keys.isEmpty() ? Optional.empty() : Optional.of(new LexOrdering(keys)));
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return CardinalityEffect.UNKNOWN;
  }

  @Override
  Statistics estimate() {
    return new Statistics(
        Precision.exact(1L), Precision.exact(8L), List.of(ColumnStatistics.UNKNOWN));
  }

  @Override
  public String details() {
    return sink.describe();
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new SinkStream(this, child().execute(0, context), context);
  }
}
