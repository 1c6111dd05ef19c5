package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates by a hash table of groups.
 *
 * <p>When memory is refused, a partial aggregation emits the states it has and starts anew; one
 * that has seen that it hardly reduces its input makes a state of every row. Any other sends its
 * states to disk, divided by the hash of their keys, and starts anew; when the input has ended, the
 * parts are merged one after the other, each like an input of its own: a part that does not fit is
 * divided again.
 */
final class HashAggregateStream extends OperatorStream {
  private static final int ROWS_BEFORE_JUDGING = 100_000;
  private static final double USELESS_SHARE_OF_GROUPS = 0.8;

  private final AggregateExec node;
  private final boolean partial;
  private final OperatorMemory memory;
  private final OperatorSpill spill;
  private final Schema stateSchema;
  private final Deque<SpilledGroups.Part> parts = new ArrayDeque<>();
  private final Deque<GroupTable.Rows> waiting = new ArrayDeque<>();
  private BatchStream source;
  private GroupTable table;
  private int level;
  private SpilledGroups.@Nullable Part part;
  private @Nullable SpilledGroups spilled;
  private boolean sourceEnded;
  private boolean emitting;
  private int emitted;
  private long rowsSeen;
  private boolean judged;
  private boolean useless;
  private @Nullable List<Column> passed;

  HashAggregateStream(AggregateExec node, BatchStream input, TaskContext context) {
    super(node, context);
    this.node = node;
    this.source = input;
    this.partial = node.mode() == AggregateMode.PARTIAL;
    String consumer = "AggregateExec " + node.mode();
    this.spill = new OperatorSpill(consumer, context, node.metrics());
    this.memory =
        new OperatorMemory(context.reserve(consumer, partial || spill.enabled()), node.metrics());
    this.stateSchema = node.stateSchema();
    this.table = new GroupTable(node.groupBy(), new AggregateStates(node), memory, context);
  }

  @Override
  @Nullable Batch produce() {
    while (true) {
      List<Column> columns = passed;
      if (columns != null) {
        passed = null;
        return new Batch(schema(), columns, columns.get(0).length());
      }
      if (emitting) {
        Batch batch = emit();
        if (batch != null) {
          return batch;
        }
        emitting = false;
        emitted = 0;
        table.free();
      }
      if (sourceEnded && waiting.isEmpty() && !openNextPart()) {
        return null;
      }
      consume();
    }
  }

  /** Reads until something is to be emitted or the source has ended. */
  private void consume() {
    while (!emitting) {
      GroupTable.Rows rows = waiting.poll();
      if (rows == null) {
        Batch batch = sourceEnded ? null : pull(source);
        if (batch == null) {
          endSource();
          return;
        }
        rowsSeen += batch.rowCount();
        rows = table.rows(batch);
        if (useless) {
          passed = table.ungrouped(rows);
          return;
        }
      }
      accept(rows);
    }
  }

  private void accept(GroupTable.Rows rows) {
    int handled = table.add(rows);
    boolean full = !table.reserveVarying();
    if (handled < rows.count()) {
      waiting.push(rows.from(handled));
    }
    if (handled < rows.count() || full) {
      makeRoom(full);
    }
    judge();
    emitting |= useless;
  }

  /**
   * Sends away what is in the table; if that is nothing, the rows that wait are taken in halves.
   */
  private void makeRoom(boolean full) {
    if (table.size() > 0) {
      if (partial) {
        metrics().add("early_flushes", 1);
        emitting = true;
      } else if (spill.enabled() && !(full && table.size() == 1)) {
        spill();
      } else if (full) {
        // One group cannot be divided: from disk it would come back as it is.
        table.reserveVaryingOrFail();
      } else {
        table.addOrFail(waiting.pop());
        table.reserveVaryingOrFail();
      }
      return;
    }
    table.free();
    GroupTable.Rows rows = waiting.pop();
    int left = rows.count() - rows.from();
    if (left == 1) {
      table.addOrFail(rows);
      table.reserveVaryingOrFail();
    } else {
      waiting.push(rows.slice(rows.from() + left / 2, left - left / 2));
      waiting.push(rows.slice(rows.from(), left / 2));
    }
  }

  /** Once, after enough rows: whether nearly every row is a group of its own. */
  private void judge() {
    if (partial && !judged && rowsSeen >= ROWS_BEFORE_JUDGING) {
      judged = true;
      useless = table.size() > USELESS_SHARE_OF_GROUPS * rowsSeen;
      metrics().add("partial_aggregation_skipped", useless ? 1 : 0);
    }
  }

  private void spill() {
    SpilledGroups target = spilled;
    if (target == null) {
      target = new SpilledGroups(stateSchema, node.groupBy().size(), level, spill, context);
      spilled = target;
    }
    target.add(table, memory.size());
    table.free();
  }

  /** The groups go on: out, or to the parts on disk if some are there already. */
  private void endSource() {
    sourceEnded = true;
    source.close();
    SpilledGroups target = spilled;
    if (target == null) {
      emitting = true;
    } else {
      spill();
      spilled = null;
      target.finish().reversed().forEach(parts::push);
    }
    SpilledGroups.Part read = part;
    if (read != null) {
      spill.delete(read.file());
      part = null;
    }
  }

  /** Goes on with a part on disk; false if there is none. */
  private boolean openNextPart() {
    SpilledGroups.Part next = parts.poll();
    if (next == null) {
      return false;
    }
    part = next;
    level = next.level();
    source = spill.read(next.file());
    sourceEnded = false;
    List<NamedExpr> groups = new ArrayList<>();
    for (int i = 0; i < node.groupBy().size(); i++) {
      groups.add(new NamedExpr(ColumnExpr.of(stateSchema, i), node.groupBy().get(i).name()));
    }
    table = new GroupTable(groups, new AggregateStates(node, true), memory, context);
    return true;
  }

  private @Nullable Batch emit() {
    int count = Math.min(context.batchSize(), table.size() - emitted);
    if (count == 0) {
      return null;
    }
    List<Column> columns = table.output(emitted, count);
    emitted += count;
    return new Batch(schema(), columns, count);
  }

  @Override
  void release() {
    source.close();
    waiting.clear();
    parts.clear();
    spill.close();
    memory.close();
  }

  @Override
  public String toString() {
    return node.toString();
  }
}
