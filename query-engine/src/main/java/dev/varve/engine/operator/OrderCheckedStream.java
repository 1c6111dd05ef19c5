package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asserts every order that a node declares, row by row. Used under {@code testing.check_order}. */
final class OrderCheckedStream implements BatchStream {
  private final PhysicalPlan node;
  private final BatchStream stream;
  private final List<Check> checks = new ArrayList<>();

  private OrderCheckedStream(PhysicalPlan node, BatchStream stream, TaskContext context) {
    this.node = node;
    this.stream = stream;
    for (LexOrdering ordering : node.properties().equivalences().orderings()) {
      checks.add(new Check(ordering, new OrderingKeys(ordering, context)));
    }
  }

  static BatchStream of(PhysicalPlan node, BatchStream stream, TaskContext context) {
    return node.properties().equivalences().orderings().isEmpty()
        ? stream
        : new OrderCheckedStream(node, stream, context);
  }

  private static final class Check {
    private final LexOrdering ordering;
    private final OrderingKeys keys;
    private @Nullable RowKeys last;

    private Check(LexOrdering ordering, OrderingKeys keys) {
      this.ordering = ordering;
      this.keys = keys;
    }

    private void accept(Batch batch, PhysicalPlan node) {
      RowKeys current = keys.of(batch);
      RowKeys before = last;
      if (before != null && before.compare(before.count() - 1, current, 0) > 0) {
        throw violated(node, 0);
      }
      for (int i = 1; i < current.count(); i++) {
        if (current.compare(i - 1, current, i) > 0) {
          throw violated(node, i);
        }
      }
      last = current;
    }

    private IllegalStateException violated(PhysicalPlan node, int row) {
      return new IllegalStateException(
          node.name()
              + " declared the order "
              + ordering
              + " and broke it at row "
              + row
              + " of a batch");
    }
  }

  @Override
  public Schema schema() {
    return stream.schema();
  }

  @Override
  public @Nullable Batch next() {
    Batch batch = stream.next();
    if (batch != null) {
      for (Check check : checks) {
        check.accept(batch, node);
      }
    }
    return batch;
  }

  @Override
  public void close() {
    stream.close();
  }
}
