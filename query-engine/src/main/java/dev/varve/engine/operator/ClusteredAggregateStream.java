package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.kernel.gather.Concat;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.Neighbours;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.Arrays;
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
  private boolean open;
  private Column[] openColumns = {};
  private int[] groups = {};
  private int[] starts = {};
  private byte[] differs = {};
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
        return open ? output(openColumns, 1) : null;
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
    if (groups.length < count) {
      groups = new int[count];
      starts = new int[count + 1];
      differs = new byte[count];
    }
    boolean continues = open && Neighbours.areSame(openColumns, 0, columns, 0);
    int carried = open ? 1 : 0;
    int started = split(columns, count, continues, carried);
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
      open = true;
    }
    return finished;
  }

  /**
   * Numbers the rows' groups, the carried one being 0, and notes where groups start; how many do.
   */
  private int split(Column[] columns, int count, boolean continues, int carried) {
    Arrays.fill(differs, 0, count, (byte) 0);
    for (Column column : columns) {
      Neighbours.mark(column, count, differs);
    }
    differs[0] = (byte) (continues ? 0 : 1);
    int started = 0;
    int before = carried - 1;
    for (int i = 0; i < count; i++) {
      starts[started] = i;
      started += differs[i];
      groups[i] = before + started;
    }
    return started;
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
