package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.key.KeyTable;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates by a hash table of groups. A partial aggregation that is refused memory emits the
 * states it has and starts anew; so does, after every batch, one that has seen that it hardly
 * reduces its input. Any other fails when memory is refused, naming its need.
 */
final class HashAggregateStream extends OperatorStream implements KeyTable.Growth {
  private static final int ROWS_BEFORE_JUDGING = 100_000;
  private static final double USELESS_SHARE_OF_GROUPS = 0.8;

  private final AggregateExec node;
  private final BatchStream input;
  private final boolean partial;
  private final AggregateStates states;
  private final @Nullable GroupKeys keys;
  private final OperatorMemory memory;
  private long varying;
  private int[] groups = {};
  private @Nullable Pending pending;
  private boolean inputEnded;
  private boolean emitting;
  private int emitted;
  private long rowsSeen;
  private boolean judged;
  private boolean useless;

  /** A batch of which a part waits until what is there has been emitted. */
  private record Pending(Batch batch, Column[] keyColumns, Column[][] inputs, int from) {}

  HashAggregateStream(AggregateExec node, BatchStream input, TaskContext context) {
    super(node, context);
    this.node = node;
    this.input = input;
    this.partial = node.mode() == AggregateMode.PARTIAL;
    this.states = new AggregateStates(node);
    this.keys = node.groupBy().isEmpty() ? null : new GroupKeys(node.groupBy(), context);
    this.memory =
        new OperatorMemory(
            context.reserve("AggregateExec " + node.mode(), partial), node.metrics());
  }

  @Override
  public boolean reserve(long bytes, int capacity) {
    long before = states.capacity() * states.bytesPerGroup();
    long after = capacity * states.bytesPerGroup();
    long more = bytes + (capacity > states.capacity() ? after : 0);
    if (!memory.tryGrow(more)) {
      if (partial && groupCount() > 0) {
        return false;
      }
      memory.grow(more);
    }
    if (capacity > states.capacity()) {
      states.resize(capacity);
      memory.shrink(before);
    }
    return true;
  }

  @Override
  public void release(long bytes) {
    memory.shrink(bytes);
  }

  private int groupCount() {
    return keys == null ? 1 : keys.size();
  }

  @Override
  @Nullable Batch produce() {
    if (keys == null) {
      return produceOnly();
    }
    while (true) {
      if (emitting) {
        Batch batch = emit(keys);
        if (batch != null) {
          return batch;
        }
        emitting = false;
        emitted = 0;
        if (inputEnded && pending == null) {
          return null;
        }
        startAnew(keys);
      }
      consume(keys);
    }
  }

  /** Without group columns there is one group, and a row even if there was no input. */
  private @Nullable Batch produceOnly() {
    if (emitting) {
      return null;
    }
    states.resize(1);
    memory.grow(states.bytesPerGroup());
    Batch batch;
    while ((batch = pull(input)) != null) {
      states.updateAll(batch, states.inputs(batch, context.query().eval()), context.query().eval());
      reserveVarying();
    }
    input.close();
    emitting = true;
    return new Batch(schema(), states.output(0, 1), 1);
  }

  /** Reads until something is to be emitted: at the end of the input, or because memory is full. */
  private void consume(GroupKeys table) {
    while (!emitting) {
      Pending rest = pending;
      if (rest == null) {
        Batch batch = pull(input);
        if (batch == null) {
          inputEnded = true;
          emitting = true;
          input.close();
          return;
        }
        rowsSeen += batch.rowCount();
        rest =
            new Pending(
                batch, table.columns(batch), states.inputs(batch, context.query().eval()), 0);
      }
      accept(table, rest);
    }
  }

  private void accept(GroupKeys table, Pending part) {
    int count = part.batch().rowCount();
    if (groups.length < count) {
      groups = new int[count];
    }
    int handled = table.assign(part.keyColumns(), part.from(), count, groups, this);
    if (handled > part.from()) {
      states.update(
          part.batch(), part.inputs(), groups, part.from(), handled, context.query().eval());
    }
    pending =
        handled < count
            ? new Pending(part.batch(), part.keyColumns(), part.inputs(), handled)
            : null;
    boolean full = !reserveVarying();
    judge(table);
    if (handled < count || full) {
      metrics().add("early_flushes", 1);
      emitting = true;
    }
    emitting |= useless;
  }

  /** Once, after enough rows: whether nearly every row is a group of its own. */
  private void judge(GroupKeys table) {
    if (partial && !judged && rowsSeen >= ROWS_BEFORE_JUDGING) {
      judged = true;
      useless = table.size() > USELESS_SHARE_OF_GROUPS * rowsSeen;
      metrics().add("partial_aggregation_skipped", useless ? 1 : 0);
    }
  }

  /** False if values of varying length outgrew the pool, and emitting states helps. */
  private boolean reserveVarying() {
    long more = states.varyingBytes() - varying;
    if (more <= 0) {
      memory.shrink(-more);
    } else if (!memory.tryGrow(more)) {
      if (partial && keys != null) {
        return false;
      }
      memory.grow(more);
    }
    varying += more;
    return true;
  }

  private @Nullable Batch emit(GroupKeys table) {
    int count = Math.min(context.batchSize(), table.size() - emitted);
    if (count == 0) {
      return null;
    }
    List<Column> columns = new ArrayList<>(Arrays.asList(table.groups(emitted, count)));
    columns.addAll(states.output(emitted, count));
    emitted += count;
    return new Batch(schema(), columns, count);
  }

  /** Gives back what the emitted groups took. */
  private void startAnew(GroupKeys table) {
    if (useless) {
      table.clear();
      states.clear();
    } else {
      table.free(this);
      memory.shrink(states.capacity() * states.bytesPerGroup());
      states.clear();
      states.resize(0);
    }
    memory.shrink(varying);
    varying = 0;
  }

  @Override
  void release() {
    input.close();
    pending = null;
    memory.close();
  }

  @Override
  public String toString() {
    return node.toString();
  }
}
