package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.kernel.gather.Concat;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates an input in which the rows of each group are neighbours: a group is finished when the
 * next one starts. There is no table; only the last group of a batch is carried into the next.
 */
final class ClusteredAggregateStream extends OperatorStream {
  private final BatchStream input;
  private final OrderingKeys keys;
  private final AggregateStates states;
  private final OperatorMemory memory;
  private @Nullable RowKeys openKey;
  private Column[] openColumns = {};
  private int[] groups = {};
  private int[] starts = {};
  private boolean ended;

  ClusteredAggregateStream(AggregateExec node, BatchStream input, TaskContext context) {
    super(node, context);
    this.input = input;
    this.keys =
        OrderingKeys.unordered(node.groupBy().stream().map(NamedExpr::expr).toList(), context);
    this.states = new AggregateStates(node);
    this.memory =
        new OperatorMemory(
            context.reserve("AggregateExec " + node.mode() + " sorted", false), node.metrics());
  }

  @Override
  @Nullable Batch produce() {
    while (!ended) {
      Batch batch = pull(input);
      if (batch == null) {
        ended = true;
        input.close();
        return openKey == null ? null : output(openColumns, 1);
      }
      Batch finished = accept(batch);
      if (finished != null) {
        return finished;
      }
    }
    return null;
  }

  /** The groups that the batch finishes; null if it only goes on with the open one. */
  private @Nullable Batch accept(Batch batch) {
    int count = batch.rowCount();
    Column[] columns = keys.columns(batch);
    RowKeys batchKeys = keys.encode(columns, count);
    if (groups.length < count) {
      groups = new int[count];
      starts = new int[count + 1];
    }
    RowKeys open = openKey;
    boolean continues = open != null && open.equal(0, batchKeys, 0);
    int carried = open != null ? 1 : 0;
    int group = continues ? 0 : carried;
    int started = 0;
    if (!continues) {
      starts[started++] = 0;
    }
    groups[0] = group;
    for (int i = 1; i < count; i++) {
      if (!batchKeys.equal(i - 1, batchKeys, i)) {
        group++;
        starts[started++] = i;
      }
      groups[i] = group;
    }
    int total = carried + started;
    if (total > states.capacity()) {
      memory.grow((total - states.capacity()) * states.bytesPerGroup());
      states.resize(total);
    }
    EvalContext eval = context.query().eval();
    states.update(batch, states.inputs(batch, eval), groups, 0, count, eval);
    Batch finished = null;
    if (total > 1) {
      finished = output(groupColumns(columns, carried, started), total - 1);
      states.keepOnly(total - 1);
    }
    if (started > 0) {
      int last = starts[started - 1];
      openColumns = new Column[columns.length];
      for (int k = 0; k < columns.length; k++) {
        openColumns[k] = Gather.single(columns[k], last);
      }
      openKey = keys.encode(openColumns, 1);
    }
    return finished;
  }

  /** The columns of the carried group, if there is one, and of all groups started but the last. */
  private Column[] groupColumns(Column[] columns, int carried, int started) {
    Column[] output = new Column[columns.length];
    for (int k = 0; k < columns.length; k++) {
      Column own = columns[k].take(starts, started - 1);
      output[k] =
          carried == 0
              ? own
              : Concat.columns(own.type(), new Column[] {openColumns[k], own}, started);
    }
    return output;
  }

  private Batch output(Column[] groupColumns, int count) {
    List<Column> columns = new ArrayList<>(List.of(groupColumns));
    columns.addAll(states.output(0, count));
    return new Batch(schema(), columns, count);
  }

  @Override
  void release() {
    input.close();
    memory.close();
  }
}
