package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.kernel.key.KeyTable;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Groups in memory: their keys and the states of their aggregates, reserved before they grow. With
 * them goes an eighth more, so that a table that is refused memory has room to be written out.
 * Confined to one task.
 */
final class GroupTable implements KeyTable.Growth {
  private final GroupKeys keys;
  private final AggregateStates states;
  private final OperatorMemory memory;
  private final EvalContext eval;
  private long held;
  private long varying;
  private boolean mustGrow;
  private int[] groups = {};
  private int[] ownGroups = {};

  /** Rows of a batch that wait to be grouped, with what is evaluated of them. */
  record Rows(Batch batch, Column[] keys, Column[][] inputs, int from) {
    int count() {
      return batch.rowCount();
    }

    Rows from(int row) {
      return new Rows(batch, keys, inputs, row);
    }

    /** Some of the rows alone. */
    Rows slice(int start, int rows) {
      Column[][] parts = new Column[inputs.length][];
      for (int a = 0; a < parts.length; a++) {
        parts[a] = slices(inputs[a], start, rows);
      }
      return new Rows(batch.slice(start, rows), slices(keys, start, rows), parts, 0);
    }

    private static Column[] slices(Column[] columns, int start, int rows) {
      Column[] slices = new Column[columns.length];
      for (int i = 0; i < columns.length; i++) {
        slices[i] = columns[i].slice(start, rows).flat();
      }
      return slices;
    }
  }

  GroupTable(
      List<NamedExpr> groupBy, AggregateStates states, OperatorMemory memory, TaskContext context) {
    this.keys = new GroupKeys(groupBy, context);
    this.states = states;
    this.memory = memory;
    this.eval = context.query().eval();
  }

  int size() {
    return keys.size();
  }

  Rows rows(Batch batch) {
    return new Rows(batch, keys.columns(batch), states.inputs(batch, eval), 0);
  }

  /**
   * Groups rows as far as memory goes; the first row that is left, or the row count. What has been
   * taken stays taken.
   */
  int add(Rows rows) {
    int count = rows.count();
    if (groups.length < count) {
      groups = new int[count];
    }
    int handled = keys.assign(rows.keys(), rows.from(), count, groups, this);
    if (handled > rows.from()) {
      states.update(rows.batch(), rows.inputs(), groups, rows.from(), handled, eval);
    }
    return handled;
  }

  /**
   * The rows as groups of one row each: their keys and states. The table must be empty, and is
   * afterwards.
   */
  List<Column> ungrouped(Rows rows) {
    int count = rows.count();
    if (count > states.capacity()) {
      mustGrow = true;
      try {
        reserve(0, count);
      } finally {
        mustGrow = false;
      }
    }
    if (ownGroups.length < count) {
      ownGroups = new int[count];
      for (int i = 0; i < count; i++) {
        ownGroups[i] = i;
      }
    }
    states.update(rows.batch(), rows.inputs(), ownGroups, 0, count, eval);
    List<Column> columns = new ArrayList<>(Arrays.asList(rows.keys()));
    columns.addAll(states.output(0, count));
    states.clear();
    return columns;
  }

  /** Like {@link #add} of rows of which not even one was taken: fails instead of leaving any. */
  void addOrFail(Rows rows) {
    mustGrow = true;
    try {
      add(rows);
    } finally {
      mustGrow = false;
    }
  }

  /** Reserves what values of varying length have grown by; false if that is refused. */
  boolean reserveVarying() {
    long more = states.varyingBytes() - varying;
    varying += more;
    if (more <= 0) {
      release(-more);
      return true;
    }
    // They are there already: what cannot be reserved must be sent away at once.
    boolean reserved = tryHold(more);
    if (!reserved) {
      varying -= more;
    }
    return reserved;
  }

  void reserveVaryingOrFail() {
    mustGrow = true;
    try {
      reserveVarying();
    } finally {
      mustGrow = false;
    }
  }

  private static long withRoom(long bytes) {
    return bytes + (bytes >> 3);
  }

  private boolean tryHold(long more) {
    long growth = withRoom(held + more) - withRoom(held);
    if (mustGrow) {
      memory.grow(growth);
    } else if (!memory.tryGrow(growth)) {
      return false;
    }
    held += more;
    return true;
  }

  @Override
  public boolean reserve(long bytes, int capacity) {
    boolean grows = capacity > states.capacity();
    long before = states.capacity() * states.bytesPerGroup();
    if (!tryHold(bytes + (grows ? capacity * states.bytesPerGroup() : 0))) {
      return false;
    }
    if (grows) {
      states.resize(capacity);
      release(before);
    }
    return true;
  }

  @Override
  public void release(long bytes) {
    memory.shrink(withRoom(held) - withRoom(held - bytes));
    held -= bytes;
  }

  /** The groups [from, from + count) with their results, or states where the node gives those. */
  List<Column> output(int from, int count) {
    List<Column> columns = new ArrayList<>(Arrays.asList(keys.groups(from, count)));
    columns.addAll(states.output(from, count));
    return columns;
  }

  /** The groups [from, from + count) with their states. */
  List<Column> states(int from, int count) {
    List<Column> columns = new ArrayList<>(Arrays.asList(keys.groups(from, count)));
    columns.addAll(states.states(from, count));
    return columns;
  }

  /** Forgets all groups; arrays are kept. */
  void clear() {
    keys.clear();
    states.clear();
    release(varying);
    varying = 0;
  }

  /** Forgets all groups and gives their memory back. */
  void free() {
    keys.free(this);
    release(states.capacity() * states.bytesPerGroup());
    states.clear();
    states.resize(0);
    release(varying);
    varying = 0;
  }
}
