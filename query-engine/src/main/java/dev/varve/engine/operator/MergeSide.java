package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.key.MergeKeys;
import org.jspecify.annotations.Nullable;

/**
 * One side of a merge join: its current batch, the keys of that, and the row it is at. Confined to
 * one task.
 */
final class MergeSide {
  private static final int LINEAR_STEPS = 8;

  private final BatchStream stream;
  private final OrderingKeys ordering;
  private final boolean[] nullsEqual;
  private @Nullable Batch batch;
  private @Nullable MergeKeys keys;
  private byte @Nullable [] excluded;
  private boolean ended;
  int row;

  MergeSide(BatchStream stream, OrderingKeys ordering, boolean[] nullsEqual) {
    this.stream = stream;
    this.ordering = ordering;
    this.nullsEqual = nullsEqual;
  }

  BatchStream stream() {
    return stream;
  }

  boolean ended() {
    return ended;
  }

  boolean hasRow() {
    return batch != null && row < batch.rowCount();
  }

  int count() {
    return batch().rowCount();
  }

  Batch batch() {
    if (batch == null) {
      throw new IllegalStateException("no batch");
    }
    return batch;
  }

  MergeKeys keys() {
    if (keys == null) {
      throw new IllegalStateException("no batch");
    }
    return keys;
  }

  /** The stream's next batch, or its end. */
  void take(@Nullable Batch next) {
    row = 0;
    batch = next;
    if (next == null) {
      ended = true;
      keys = null;
      excluded = null;
      stream.close();
      return;
    }
    Column[] columns = ordering.columns(next);
    keys = MergeKeys.of(ordering.layout(), columns, next.rowCount());
    excluded = excluded(columns, next.rowCount());
  }

  /** 1 for rows with a null in a key where nulls do not match; null if there are none. */
  private byte @Nullable [] excluded(Column[] columns, int count) {
    byte[] marks = null;
    for (int k = 0; k < columns.length; k++) {
      if (!nullsEqual[k] && columns[k].mayHaveNulls()) {
        marks = marks == null ? new byte[count] : marks;
        for (int i = 0; i < count; i++) {
          marks[i] |= (byte) (columns[k].isNull(i) ? 1 : 0);
        }
      }
    }
    return marks;
  }

  /** Whether rows of the batch may have a key that matches nothing. */
  boolean mayExclude() {
    return excluded != null;
  }

  /** Whether the current row's key matches nothing, not even the same. */
  boolean isExcluded() {
    byte[] marks = excluded;
    return marks != null && marks[row] != 0;
  }

  int compareTo(MergeSide other) {
    return keys().compare(row, other.keys(), other.row);
  }

  /** Whether the current row has this key. */
  boolean hasKey(MergeKeys key, int keyRow) {
    return !isExcluded() && keys().equal(row, key, keyRow);
  }

  /** The end of the rows from the current one on that have its key, in this batch. */
  int endOfKey() {
    return endOfKey(keys(), row);
  }

  int endOfKey(MergeKeys key, int keyRow) {
    MergeKeys own = keys();
    int end = row;
    int count = own.count();
    while (end < count && own.equal(end, key, keyRow)) {
      end++;
    }
    return end;
  }

  /** The first row from the current one on that is not below the other side's, or the end. */
  int endBelow(MergeSide other) {
    MergeKeys own = keys();
    MergeKeys key = other.keys();
    int count = own.count();
    int at = row;
    int steps = 0;
    while (at < count && steps++ < LINEAR_STEPS) {
      if (own.compare(at, key, other.row) >= 0) {
        return at;
      }
      at++;
    }
    int low = at - 1;
    int step = LINEAR_STEPS;
    int high = Math.min(count, low + step);
    while (high < count && own.compare(high, key, other.row) < 0) {
      low = high;
      step *= 2;
      high = (int) Math.min(count, (long) low + step);
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (own.compare(middle, key, other.row) < 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
