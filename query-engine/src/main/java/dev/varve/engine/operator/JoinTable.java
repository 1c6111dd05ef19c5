package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.kernel.gather.Concat;
import dev.varve.engine.kernel.key.HashSeed;
import dev.varve.engine.kernel.key.KeyTable;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The build side of a join: its rows, for each distinct key the first of them, and for each row the
 * next of the same key, ascending. Rows whose key is null, where nulls do not match, are in no
 * chain. Immutable once built, but for the marks of matched rows, which several tasks may set.
 */
final class JoinTable {
  private final Batch rows;
  private final @Nullable KeyTable keys;
  private final int[] head;
  private final int[] next;
  private final byte[] matched;

  private JoinTable(Batch rows, @Nullable KeyTable keys, int[] head, int[] next, byte[] matched) {
    this.rows = rows;
    this.keys = keys;
    this.head = head;
    this.next = next;
    this.matched = matched;
  }

  Batch rows() {
    return rows;
  }

  int rowCount() {
    return rows.rowCount();
  }

  /** Writes for each probe row the first build row of its key, or -1. */
  void first(RowKeys probe, int[] firsts) {
    KeyTable table = keys;
    if (table == null) {
      throw new IllegalStateException("a join without keys");
    }
    table.find(probe, firsts);
    for (int i = 0; i < probe.count(); i++) {
      firsts[i] = firsts[i] < 0 ? -1 : head[firsts[i]];
    }
  }

  /** The next build row of the same key, or -1; without keys just the next row. */
  int next(int row) {
    return keys != null ? next[row] : row + 1 < rows.rowCount() ? row + 1 : -1;
  }

  /** Marks all build rows of a key; a key is marked with its first row. */
  void markAll(int first) {
    if (matched[first] == 0) {
      for (int row = first; row >= 0; row = next(row)) {
        matched[row] = 1;
      }
    }
  }

  void mark(int row) {
    matched[row] = 1;
  }

  boolean isMatched(int row) {
    return matched[row] != 0;
  }

  /** Reads the whole build side. What it keeps is reserved in {@code memory}, which stays open. */
  static JoinTable build(
      JoinSpec spec, BatchStream left, OperatorMemory memory, TaskContext context) {
    return new Builder(spec, memory, context).build(left);
  }

  private static final class Builder implements KeyTable.Growth {
    private final JoinSpec spec;
    private final OperatorMemory memory;
    private final TaskContext context;
    private final boolean hasKeys;
    private final @Nullable OrderingKeys keys;
    private final @Nullable KeyTable table;
    private final List<Batch> batches = new ArrayList<>();
    private final List<int[]> ids = new ArrayList<>();

    private Builder(JoinSpec spec, OperatorMemory memory, TaskContext context) {
      this.spec = spec;
      this.memory = memory;
      this.context = context;
      this.hasKeys = !spec.on().isEmpty();
      this.keys =
          hasKeys
              ? OrderingKeys.unordered(spec.on().stream().map(JoinKey::left).toList(), context)
              : null;
      this.table =
          keys == null
              ? null
              : new KeyTable(
                  keys.layout(),
                  HashSeed.JOIN_TABLE,
                  context.query().settings().get(EngineSettings.CONSTANT_HASH));
    }

    @Override
    public boolean reserve(long bytes, int capacity) {
      memory.grow(bytes);
      return true;
    }

    @Override
    public void release(long bytes) {
      memory.shrink(bytes);
    }

    private JoinTable build(BatchStream left) {
      long rowCount = 0;
      Batch batch;
      while ((batch = left.next()) != null) {
        context.query().cancellation().check();
        batches.add(memory.keep(batch, 13L * batch.rowCount()));
        rowCount += batch.rowCount();
        if (keys != null && table != null) {
          ids.add(number(batch, keys, table));
        }
      }
      Batch rows = rows();
      int count = rows.rowCount();
      if (table == null) {
        return new JoinTable(rows, null, new int[0], new int[0], new byte[count]);
      }
      memory.grow(4L * table.size());
      int[] head = new int[table.size()];
      Arrays.fill(head, -1);
      int[] next = new int[(int) rowCount];
      int row = count;
      for (int b = ids.size() - 1; b >= 0; b--) {
        int[] batchIds = ids.get(b);
        for (int i = batchIds.length - 1; i >= 0; i--) {
          row--;
          int id = batchIds[i];
          next[row] = id < 0 ? -1 : head[id];
          if (id >= 0) {
            head[id] = row;
          }
        }
      }
      return new JoinTable(rows, table, head, next, new byte[count]);
    }

    /** The rows in one batch; while they are copied they are reserved twice. */
    private Batch rows() {
      if (batches.isEmpty()) {
        return Batch.empty(spec.left().schema());
      }
      if (batches.size() == 1) {
        return batches.get(0);
      }
      long bytes = 0;
      for (Batch batch : batches) {
        bytes += OperatorMemory.ofRows(batch);
      }
      memory.grow(bytes);
      Batch rows = Concat.batches(spec.left().schema(), batches);
      batches.clear();
      memory.shrink(bytes);
      return rows;
    }

    private int[] number(Batch batch, OrderingKeys encoder, KeyTable numbers) {
      int count = batch.rowCount();
      Column[] columns = encoder.columns(batch);
      int[] result = new int[count];
      byte[] excluded = excluded(columns, count);
      if (excluded == null) {
        numbers.insert(encoder.encode(columns, count), 0, result, this);
        return result;
      }
      int[] kept = new int[count];
      int keptCount = 0;
      for (int i = 0; i < count; i++) {
        kept[keptCount] = i;
        keptCount += 1 - excluded[i];
      }
      Column[] taken = new Column[columns.length];
      for (int k = 0; k < columns.length; k++) {
        taken[k] = columns[k].take(kept, keptCount);
      }
      int[] keptIds = new int[keptCount];
      numbers.insert(encoder.encode(taken, keptCount), 0, keptIds, this);
      Arrays.fill(result, -1);
      for (int i = 0; i < keptCount; i++) {
        result[kept[i]] = keptIds[i];
      }
      return result;
    }

    /** 1 for rows with a null in a key where nulls do not match; null if there are none. */
    private byte @Nullable [] excluded(Column[] columns, int count) {
      byte[] excluded = null;
      for (int k = 0; k < columns.length; k++) {
        if (!spec.on().get(k).nullsEqual() && columns[k].mayHaveNulls()) {
          excluded = excluded == null ? new byte[count] : excluded;
          for (int i = 0; i < count; i++) {
            excluded[i] |= (byte) (columns[k].isNull(i) ? 1 : 0);
          }
        }
      }
      return excluded;
    }
  }
}
