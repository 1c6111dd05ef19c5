package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a build side while they are collected: batches of the columns that are read. Confined to
 * one task at a time.
 */
final class JoinRows {
  private final OperatorMemory memory;
  private final long[] columnBytes;
  private final long[] flatBytes;
  private final long[] lastBytes;
  private final long[] lastFlatBytes;
  private final List<Batch> batches = new ArrayList<>();
  private long rows;

  JoinRows(OperatorMemory memory, int columns) {
    this.memory = memory;
    this.columnBytes = new long[columns];
    this.flatBytes = new long[columns];
    this.lastBytes = new long[columns];
    this.lastFlatBytes = new long[columns];
  }

  /** False if there is no memory for the batch, of which nothing is kept then. */
  boolean tryAdd(Batch batch) {
    long total = measure(batch);
    if (!memory.tryGrow(total)) {
      return false;
    }
    keep(batch);
    return true;
  }

  /** Adds a batch, or fails with an error that says what is missing. */
  void add(Batch batch) {
    memory.grow(measure(batch));
    keep(batch);
  }

  private long measure(Batch batch) {
    long total = 0;
    for (int c = 0; c < columnBytes.length; c++) {
      lastBytes[c] = memory.bytesToKeep(batch.column(c));
      lastFlatBytes[c] = flatBytes(batch.column(c));
      total += lastBytes[c];
    }
    return total;
  }

  private void keep(Batch batch) {
    for (int c = 0; c < columnBytes.length; c++) {
      columnBytes[c] += lastBytes[c];
      flatBytes[c] += lastFlatBytes[c];
    }
    batches.add(batch.compact());
    rows += batch.rowCount();
  }

  /** Takes back what the last call added. */
  void removeLast() {
    rows -= batches.removeLast().rowCount();
    for (int c = 0; c < columnBytes.length; c++) {
      columnBytes[c] -= lastBytes[c];
      flatBytes[c] -= lastFlatBytes[c];
      memory.shrink(lastBytes[c]);
    }
  }

  /** About what a column takes without its encoding. */
  private static long flatBytes(Column column) {
    return switch (column) {
      case DictionaryColumn coded ->
          4L * coded.length()
              + coded.length()
                  * (coded.dictionary().sizeInBytes() / Math.max(1, coded.dictionary().length())
                      + 1);
      case ConstantColumn constant -> constant.length() * (constant.sizeInBytes() + 1);
      default -> column.sizeInBytes();
    };
  }

  /** About what a column takes when all rows of it are put together. */
  long flatBytes(int column) {
    return flatBytes[column];
  }

  List<Batch> batches() {
    return batches;
  }

  long rows() {
    return rows;
  }

  long columnBytes(int column) {
    return columnBytes[column];
  }

  /** A column is kept elsewhere now. */
  void releaseColumn(int column) {
    memory.shrink(columnBytes[column]);
    columnBytes[column] = 0;
  }

  /** Lets go of the rows and what is still reserved for them. */
  void clear() {
    for (int c = 0; c < columnBytes.length; c++) {
      releaseColumn(c);
      flatBytes[c] = 0;
    }
    batches.clear();
    rows = 0;
  }
}
