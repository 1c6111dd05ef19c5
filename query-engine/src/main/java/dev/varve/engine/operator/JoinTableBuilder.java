package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.kernel.gather.Concat;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the table of a build side, in steps whose parts run at the same time: the partitions are
 * read, each column is put together, the keys are indexed. Confined to the task that builds.
 */
final class JoinTableBuilder {
  /** Beyond this row numbers and their chains would not fit into ints. */
  private static final int MAX_ROWS = 1 << 29;

  private final JoinSpec spec;
  private final OperatorMemory memory;
  private final TaskGroup group;
  private final TaskContext context;
  private final int[] read;

  JoinTableBuilder(JoinSpec spec, OperatorMemory memory, TaskGroup group, TaskContext context) {
    this.spec = spec;
    this.memory = memory;
    this.group = group;
    this.context = context;
    this.read = spec.readBuildColumns().stream().toArray();
  }

  /** What was read of one partition: its batches, of the columns in {@link #read}. */
  private static final class Part {
    private final List<Batch> batches = new ArrayList<>();
    private final long[] columnBytes;
    private final OperatorMemory memory;
    private long rows;

    private Part(OperatorMemory memory, int columns) {
      this.memory = memory;
      this.columnBytes = new long[columns];
    }

    private void add(Batch batch) {
      long bytes = 0;
      for (int c = 0; c < columnBytes.length; c++) {
        long ofColumn = memory.bytesToKeep(batch.column(c));
        columnBytes[c] += ofColumn;
        bytes += ofColumn;
      }
      memory.grow(bytes);
      batches.add(batch.compact());
      rows += batch.rowCount();
    }
  }

  /** Reads partition {@code only}, or all if that is -1. */
  JoinTable build(int only) {
    int partitions = only < 0 ? spec.left().properties().partitioning().count() : 1;
    Part[] parts = new Part[partitions];
    for (int p = 0; p < partitions; p++) {
      parts[p] = new Part(memory.sibling(), read.length);
    }
    try {
      group.run(
          spec.node().name() + " build",
          partitions,
          context,
          (p, task) -> collect(only < 0 ? p : only, parts[p], task));
      return table(parts);
    } finally {
      for (Part part : parts) {
        part.memory.close();
      }
    }
  }

  private void collect(int partition, Part part, TaskContext task) {
    try (BatchStream left = spec.left().execute(partition, task)) {
      Batch batch;
      while ((batch = left.next()) != null) {
        task.checkpoint();
        part.add(batch.select(read));
      }
    }
  }

  private JoinTable table(Part[] parts) {
    long rows = 0;
    for (Part part : parts) {
      rows += part.rows;
    }
    if (rows > MAX_ROWS) {
      throw new VarveException(
          ErrorCode.MEMORY_LIMIT_EXCEEDED,
          spec.node().name() + ": the build side has " + rows + " rows, more than " + MAX_ROWS);
    }
    int count = (int) rows;
    @Nullable Column[] columns = concatenate(parts, count);
    JoinIndex index = null;
    if (!spec.on().isEmpty()) {
      index =
          new JoinIndexBuilder(spec, memory, group, context)
              .build((from, length) -> slice(columns, from, length), count);
      spec.node().metrics().add(index.kind(), 1);
      JoinFilters.publish(
          spec, (from, length) -> slice(columns, from, length), count, memory, context);
      release(columns);
    }
    boolean marks = spec.type().emitsLeftAtEnd();
    memory.grow(marks ? count : 0);
    return new JoinTable(columns, count, index, marks);
  }

  /** The columns, each of all rows; a few at a time, so that little is there twice. */
  private @Nullable Column[] concatenate(Part[] parts, int rows) {
    @Nullable Column[] columns = new Column[spec.left().schema().size()];
    int tasks = JoinIndexBuilder.tasks(rows, context);
    for (int first = 0; first < read.length; first += tasks) {
      int from = first;
      int width = Math.min(tasks, read.length - first);
      for (int c = from; c < from + width; c++) {
        for (Part part : parts) {
          memory.grow(part.columnBytes[c]);
        }
      }
      group.run(
          spec.node().name() + " rows",
          width,
          context,
          (w, task) -> columns[read[from + w]] = column(parts, from + w, rows));
      for (int c = from; c < from + width; c++) {
        long reserved = 0;
        for (Part part : parts) {
          reserved += part.columnBytes[c];
          part.memory.shrink(part.columnBytes[c]);
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

  private Column column(Part[] parts, int c, int rows) {
    List<Column> pieces = new ArrayList<>();
    for (Part part : parts) {
      part.batches.forEach(batch -> pieces.add(batch.column(c)));
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
