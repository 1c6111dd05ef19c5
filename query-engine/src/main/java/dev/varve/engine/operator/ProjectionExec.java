package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Computes output columns from each batch. */
public final class ProjectionExec implements PhysicalPlan {
  private final PhysicalPlan input;
  private final List<NamedExpr> expressions;
  private final Schema schema;
  private final PlanProperties properties;
  private final MetricSet metrics = new MetricSet();

  public ProjectionExec(PhysicalPlan input, List<NamedExpr> expressions) {
    this.input = input;
    this.expressions = List.copyOf(expressions);
    this.schema =
        new Schema(
            expressions.stream()
                .map(e -> Field.of(e.name(), e.expr().type(), e.expr().nullable()))
                .toList());
    this.properties =
        PlanProperties.of(
            input.properties().partitioning(),
            input.properties().equivalences().project(this.expressions, schema));
  }

  public List<NamedExpr> expressions() {
    return expressions;
  }

  @Override
  public String name() {
    return "ProjectionExec";
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public List<PhysicalPlan> children() {
    return List.of(input);
  }

  @Override
  public PhysicalPlan withChildren(List<PhysicalPlan> children) {
    return children.get(0) == input ? this : new ProjectionExec(children.get(0), expressions);
  }

  @Override
  public PlanProperties properties() {
    return properties;
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(true);
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return CardinalityEffect.EQUAL;
  }

  @Override
  public boolean supportsLimitPushdown() {
    return true;
  }

  @Override
  public String details() {
    return expressions.stream()
        .map(NamedExpr::toString)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  @Override
  public MetricSet metrics() {
    return metrics;
  }

  @Override
  public BatchStream execute(int partition, TaskContext context) {
    BatchStream source = input.execute(partition, context);
    return new BatchStream() {
      @Override
      public Schema schema() {
        return schema;
      }

      @Override
      public @Nullable Batch next() {
        Batch batch = source.next();
        if (batch == null) {
          return null;
        }
        List<Column> columns = new ArrayList<>(expressions.size());
        for (NamedExpr expression : expressions) {
          columns.add(expression.expr().evaluate(batch, context.query().eval()));
        }
        return new Batch(schema, columns, batch.rowCount());
      }

      @Override
      public void close() {
        source.close();
      }
    };
  }
}
