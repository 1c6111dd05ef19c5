package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.kernel.gather.Concat;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.PhysicalType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the table of the rows of a build side, in steps whose parts run at the same time: the
 * columns are put together, the keys are indexed. Confined to the task that builds.
 */
final class JoinTableBuilder {
  /** Beyond this row numbers and their chains would not fit into ints. */
  private static final int MAX_ROWS = 1 << 29;

  /** The bytes of strings of one column are in one array. */
  private static final long MAX_COLUMN_BYTES = Integer.MAX_VALUE - 16;

  /** The smallest tables. */
  private static final long FIXED_BYTES = 8 << 10;

  /** Number, slots, chain, mark, and the keys when they are computed. */
  private static final long BYTES_OF_NUMBERED_ROW = 64 + 16;

  private static final long BYTES_OF_ENCODED_ROW = 160;

  private final JoinSpec spec;
  private final OperatorMemory memory;
  private final TaskGroup group;
  private final TaskContext context;
  private final boolean publishes;
  private final int[] read;

  /**
   * @param publishes whether the rows are all of the build side, so that the probe side may be told
   *     of their keys
   */
  JoinTableBuilder(
      JoinSpec spec,
      OperatorMemory memory,
      TaskGroup group,
      boolean publishes,
      TaskContext context) {
    this.publishes = publishes;
    this.spec = spec;
    this.memory = memory;
    this.group = group;
    this.context = context;
    this.read = spec.readBuildColumns().stream().toArray();
  }

  /** Positions of the left columns that are collected. */
  int[] read() {
    return read;
  }

  /**
   * Bytes beside the rows themselves that {@link #table} takes at most: for columns while they are
   * there twice, for those that lose their encoding, and for the index.
   */
  long bytesFor(List<JoinRows> parts) {
    long[] flat = new long[read.length];
    long[] columns = new long[read.length];
    long rows = 0;
    for (JoinRows part : parts) {
      rows += part.rows();
      for (int c = 0; c < read.length; c++) {
        columns[c] += part.columnBytes(c);
        flat[c] += part.flatBytes(c);
      }
    }
    long bytes = FIXED_BYTES + rows * bytesOfIndexedRow();
    long[] twice = new long[read.length];
    for (int c = 0; c < read.length; c++) {
      bytes += Math.max(0, flat[c] - columns[c]);
      twice[c] = Math.max(flat[c], columns[c]);
    }
    Arrays.sort(twice);
    int tasks = (int) Math.min(read.length, JoinIndexBuilder.tasks((int) rows, context));
    for (int c = read.length - tasks; c < read.length; c++) {
      bytes += twice[c];
    }
    if (!spec.on().isEmpty() && !JoinIndexBuilder.isSurelyNumbered(spec)) {
      // The encoded keys, which double when their table grows.
      for (long column : twice) {
        bytes += 3 * column;
      }
    }
    return bytes;
  }

  /** Whether these rows cannot be in one table, whatever memory there is. */
  boolean isTooLarge(List<JoinRows> parts) {
    long rows = 0;
    for (JoinRows part : parts) {
      rows += part.rows();
    }
    boolean tooLarge = rows > MAX_ROWS;
    for (int c = 0; c < read.length; c++) {
      long bytes = 0;
      for (JoinRows part : parts) {
        bytes += part.flatBytes(c);
      }
      tooLarge |=
          spec.left().schema().type(read[c]).physical() == PhysicalType.BYTES
              && bytes > MAX_COLUMN_BYTES;
    }
    return tooLarge;
  }

  private long bytesOfIndexedRow() {
    return spec.on().isEmpty()
        ? 1
        : JoinIndexBuilder.isSurelyNumbered(spec) ? BYTES_OF_NUMBERED_ROW : BYTES_OF_ENCODED_ROW;
  }

  /** The table of all these rows, which are not needed any more; it takes memory as it grows. */
  JoinTable table(List<JoinRows> parts) {
    long rows = 0;
    for (JoinRows part : parts) {
      rows += part.rows();
    }
    if (rows > MAX_ROWS) {
      throw new VarveException(
          ErrorCode.MEMORY_LIMIT_EXCEEDED,
          spec.node().name() + ": the build side has " + rows + " rows, more than " + MAX_ROWS);
    }
    int count = (int) rows;
    @Nullable Column[] columns = concatenate(parts, count);
    parts.forEach(JoinRows::clear);
    JoinIndex index = null;
    if (!spec.on().isEmpty()) {
      index =
          new JoinIndexBuilder(spec, memory, group, context)
              .build((from, length) -> slice(columns, from, length), count);
      spec.node().metrics().add(index.kind(), 1);
      if (publishes) {
        JoinFilters.publish(
            spec, (from, length) -> slice(columns, from, length), count, memory, context);
      }
      release(columns);
    }
    boolean marks = spec.type().emitsLeftAtEnd();
    memory.grow(marks ? count : 0);
    return new JoinTable(columns, count, index, marks);
  }

  /** The columns, each of all rows; a few at a time, so that little is there twice. */
  private @Nullable Column[] concatenate(List<JoinRows> parts, int rows) {
    @Nullable Column[] columns = new Column[spec.left().schema().size()];
    int tasks = JoinIndexBuilder.tasks(rows, context);
    for (int first = 0; first < read.length; first += tasks) {
      int from = first;
      int width = Math.min(tasks, read.length - first);
      for (int c = from; c < from + width; c++) {
        for (JoinRows part : parts) {
          memory.grow(part.columnBytes(c));
        }
      }
      group.run(
          spec.node().name() + " rows",
          width,
          context,
          (w, task) -> columns[read[from + w]] = column(parts, from + w, rows));
      for (int c = from; c < from + width; c++) {
        long reserved = 0;
        for (JoinRows part : parts) {
          reserved += part.columnBytes(c);
          part.releaseColumn(c);
        }
        // Columns with several dictionaries become longer when they are put together.
        memory.grow(Math.max(0, sizeOf(columns, c) - reserved));
      }
    }
    return columns;
  }

  private long sizeOf(@Nullable Column[] columns, int c) {
    Column column = columns[read[c]];
    return column == null ? 0 : column.sizeInBytes();
  }

  private Column column(List<JoinRows> parts, int c, int rows) {
    List<Column> pieces = new ArrayList<>();
    for (JoinRows part : parts) {
      part.batches().forEach(batch -> pieces.add(batch.column(c)));
    }
    return pieces.size() == 1
        ? pieces.get(0)
        : Concat.columns(spec.left().schema().type(read[c]), pieces.toArray(new Column[0]), rows);
  }

  /** Rows of the left input, of which only the columns that were read have values. */
  private Batch slice(@Nullable Column[] columns, int from, int length) {
    List<Column> sliced = new ArrayList<>(columns.length);
    for (int c = 0; c < columns.length; c++) {
      Column column = columns[c];
      sliced.add(
          column == null
              ? ConstantColumn.nulls(spec.left().schema().type(c), length)
              : column.slice(from, length));
    }
    return new Batch(spec.left().schema(), sliced, length);
  }

  /** Drops the columns that only the keys needed. */
  private void release(@Nullable Column[] columns) {
    BitSet kept = spec.keptBuildColumns();
    for (int c : read) {
      Column column = columns[c];
      if (!kept.get(c) && column != null) {
        memory.shrink(column.sizeInBytes());
        columns[c] = null;
      }
    }
  }
}
