package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.kernel.join.DenseIndex;
import dev.varve.engine.kernel.join.HashIndex;
import dev.varve.engine.kernel.join.KeyBounds;
import dev.varve.engine.kernel.join.KeyPacking;
import dev.varve.engine.kernel.join.NumberIndex;
import dev.varve.engine.kernel.key.HashSeed;
import dev.varve.engine.kernel.key.KeyEncoder;
import dev.varve.engine.kernel.key.KeyLayout;
import dev.varve.engine.kernel.key.KeyTable;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Indexes the keys of a build side whose rows are all there. Integer keys are numbered within their
 * bounds: a dense range becomes an array, others a hash table; keys of other types are encoded.
 * Confined to the task that builds.
 */
final class JoinIndexBuilder {
  /** Rows that make another task worth its start. */
  private static final int ROWS_PER_TASK = 1 << 15;

  private static final int MAX_TASKS = 8;
  private static final int ENCODED_ROWS = 8192;

  /** Rows [from, from + length) of the build side as a batch of the left input. */
  @FunctionalInterface
  interface Rows {
    Batch slice(int from, int length);
  }

  private final JoinSpec spec;
  private final OperatorMemory memory;
  private final TaskGroup group;
  private final TaskContext context;
  private final boolean constantHash;

  JoinIndexBuilder(JoinSpec spec, OperatorMemory memory, TaskGroup group, TaskContext context) {
    this.spec = spec;
    this.memory = memory;
    this.group = group;
    this.context = context;
    this.constantHash = context.query().settings().get(EngineSettings.CONSTANT_HASH);
  }

  /** A power of two. */
  static int tasks(int rows, TaskContext context) {
    int wanted = Math.min(context.query().settings().targetPartitions(), rows / ROWS_PER_TASK);
    return Integer.highestOneBit(Math.clamp(wanted, 1, MAX_TASKS));
  }

  private static boolean hasIntegerKeys(JoinSpec spec) {
    return spec.on().stream().allMatch(key -> KeyBounds.covers(key.left().type()));
  }

  /** Several integers may have too many values together to be numbered, which their values tell. */
  static boolean isSurelyNumbered(JoinSpec spec) {
    return spec.on().size() == 1 && hasIntegerKeys(spec);
  }

  JoinIndex build(Rows rows, int count) {
    if (hasIntegerKeys(spec)) {
      Optional<JoinIndex> numbered = numbered(rows, count);
      if (numbered.isPresent()) {
        return numbered.get();
      }
    }
    return encoded(rows, count);
  }

  private Optional<JoinIndex> numbered(Rows rows, int count) {
    int tasks = tasks(count, context);
    int keys = spec.on().size();
    Column[][] columns = new Column[tasks][];
    KeyBounds[][] bounds = new KeyBounds[tasks][];
    step(
        "bounds",
        tasks,
        t -> {
          int from = start(t, tasks, count);
          columns[t] = keys(rows.slice(from, start(t + 1, tasks, count) - from));
          bounds[t] = new KeyBounds[keys];
          for (int k = 0; k < keys; k++) {
            bounds[t][k] = new KeyBounds();
            bounds[t][k].add(columns[t][k]);
          }
        });
    List<KeyBounds> all = new ArrayList<>();
    boolean[] nullsEqual = new boolean[keys];
    for (int k = 0; k < keys; k++) {
      KeyBounds one = new KeyBounds();
      for (KeyBounds[] ofTask : bounds) {
        one.add(ofTask[k]);
      }
      all.add(one);
      nullsEqual[k] = spec.on().get(k).nullsEqual();
    }
    return KeyPacking.of(all, nullsEqual).map(packing -> index(packing, columns, count, tasks));
  }

  private JoinIndex index(KeyPacking packing, Column[][] columns, int count, int tasks) {
    memory.grow(8L * count);
    long[] numbers = new long[count];
    step(
        "numbers",
        tasks,
        t -> {
          int from = start(t, tasks, count);
          int length = start(t + 1, tasks, count) - from;
          long[] own = new long[length];
          packing.pack(columns[t], length, own);
          System.arraycopy(own, 0, numbers, from, length);
        });
    boolean dense = DenseIndex.suits(packing, count);
    long bytes = dense ? DenseIndex.bytes(packing, count) : HashIndex.bytes(count);
    memory.grow(bytes);
    NumberIndex index;
    if (dense) {
      index = DenseIndex.of(packing, numbers);
      step("index", tasks, t -> index.insert(t, tasks));
    } else {
      index = hashed(packing, numbers, constantHash ? 1 : tasks);
    }
    index.finish();
    memory.shrink(bytes + 8L * count - index.sizeInBytes());
    return new JoinIndex.OfNumbers(packing, index, dense ? "dense_tables" : "hash_tables");
  }

  private NumberIndex hashed(KeyPacking packing, long[] numbers, int tasks) {
    HashIndex index = HashIndex.of(packing, numbers, tasks, HashSeed.JOIN_TABLE, constantHash);
    AtomicBoolean full = new AtomicBoolean();
    step(
        "index",
        tasks,
        t -> {
          if (!index.insert(t, tasks)) {
            full.set(true);
          }
        });
    // Hashes that crowd into one part, which a table that is not divided has room for.
    return full.get() ? hashed(packing, numbers, 1) : index;
  }

  /** The part of a step that one task does. */
  @FunctionalInterface
  private interface Step {
    void run(int task);
  }

  private void step(String name, int tasks, Step step) {
    group.run(spec.node().name() + " " + name, tasks, context, (t, task) -> step.run(t));
  }

  private static int start(int task, int tasks, int count) {
    return (int) ((long) count * task / tasks);
  }

  /** The key columns, flat. */
  private Column[] keys(Batch batch) {
    Column[] columns = new Column[spec.on().size()];
    for (int k = 0; k < columns.length; k++) {
      columns[k] = spec.on().get(k).left().evaluate(batch, context.query().eval()).flat();
    }
    return columns;
  }

  private JoinIndex encoded(Rows rows, int count) {
    KeyLayout layout =
        KeyLayout.unordered(spec.buildKeys().stream().map(key -> key.type()).toList());
    KeyTable table = new KeyTable(layout, HashSeed.JOIN_TABLE, constantHash);
    KeyEncoder encoder = new KeyEncoder(layout);
    memory.grow(8L * count);
    int[] ids = new int[count];
    for (int from = 0; from < count; from += ENCODED_ROWS) {
      context.query().cancellation().check();
      int length = Math.min(ENCODED_ROWS, count - from);
      number(keys(rows.slice(from, length)), length, encoder, table, ids, from);
    }
    memory.grow(4L * table.size());
    int[] heads = new int[table.size()];
    Arrays.fill(heads, -1);
    int[] next = new int[count];
    boolean repeats = false;
    for (int row = count - 1; row >= 0; row--) {
      int id = ids[row];
      next[row] = id < 0 ? -1 : heads[id];
      if (id >= 0) {
        repeats |= heads[id] >= 0;
        heads[id] = row;
      }
    }
    memory.shrink(repeats ? 4L * count : 8L * count);
    return new JoinIndex.OfEncodedKeys(table, heads, repeats ? next : null);
  }

  /** Writes the number of each row's key, -1 for a null where nulls do not match. */
  private void number(
      Column[] columns, int count, KeyEncoder encoder, KeyTable table, int[] ids, int from) {
    int[] kept = new int[count];
    int keptCount = 0;
    byte[] excluded = excluded(columns, count);
    for (int i = 0; i < count; i++) {
      kept[keptCount] = i;
      keptCount += 1 - excluded[i];
    }
    Column[] taken = columns;
    if (keptCount < count) {
      taken = new Column[columns.length];
      for (int k = 0; k < columns.length; k++) {
        taken[k] = columns[k].take(kept, keptCount);
      }
    }
    int[] keptIds = new int[keptCount];
    table.insert(encoder.encode(taken, keptCount), 0, keptIds, new Reserved());
    Arrays.fill(ids, from, from + count, -1);
    for (int i = 0; i < keptCount; i++) {
      ids[from + kept[i]] = keptIds[i];
    }
  }

  /** 1 for rows with a null in a key where nulls do not match. */
  private byte[] excluded(Column[] columns, int count) {
    byte[] excluded = new byte[count];
    for (int k = 0; k < columns.length; k++) {
      if (!spec.on().get(k).nullsEqual() && columns[k].mayHaveNulls()) {
        for (int i = 0; i < count; i++) {
          excluded[i] |= (byte) (columns[k].isNull(i) ? 1 : 0);
        }
      }
    }
    return excluded;
  }

  private final class Reserved implements KeyTable.Growth {
    @Override
    public boolean reserve(long bytes, int capacity) {
      memory.grow(bytes);
      return true;
    }

    @Override
    public void release(long bytes) {
      memory.shrink(bytes);
    }
  }
}
