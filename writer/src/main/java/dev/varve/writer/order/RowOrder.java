package dev.varve.writer.order;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks row by row that rows come in an order, and remembers the first and the last of them.
 *
 * <p>The order that counts is that of encoded sort keys. A row is compared with the one before it
 * column by column on the typed arrays ({@link RowComparator} agrees with the encoding), later
 * columns only where all earlier ones are equal; keys are encoded for the first and last row only,
 * which in an ordered stream are the least and the greatest. Confined to one task.
 */
public final class RowOrder {
  private final List<ColumnOrder> ordering;
  private final RowKeys keys;
  private int[] candidates = new int[0];
  private int[] ties = new int[0];

  /** How many rows the last pass put into {@link #ties}. */
  private int tieCount;

  private @Nullable Batch last;
  private @Nullable EncodedKey first;

  public RowOrder(List<ColumnOrder> ordering, RowKeys keys) {
    this.ordering = List.copyOf(ordering);
    this.keys = keys;
  }

  /** Begins a new stream: its first row has none before it. */
  public void restart() {
    last = null;
    first = null;
  }

  /** Forgets which row was the first, and goes on comparing: the rows' next file begins. */
  public void startRange() {
    first = null;
  }

  /**
   * Takes the next rows; answers the first that is smaller than the row before it, or -1 if there
   * is none. After a violation the remembered rows are of no use.
   */
  public int check(Batch batch) {
    if (batch.rowCount() == 0) {
      return -1;
    }
    if (last != null && compare(last, 0, batch, 0) > 0) {
      return 0;
    }
    if (first == null) {
      first = keys.encode(batch, 0, new KeyWriter());
    }
    int violation = checkWithin(batch);
    last = keys.keyColumns(batch, batch.rowCount() - 1);
    return violation;
  }

  private int compare(Batch a, int i, Batch b, int j) {
    for (int k = 0; k < ordering.size(); k++) {
      int compared =
          RowComparator.compare(
              a.column(k), i, b.column(ordering.get(k).column()), j, ordering.get(k).options());
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  /**
   * Ties behind a violation are not carried on, so what a later column finds lies before what an
   * earlier one found.
   */
  private int checkWithin(Batch batch) {
    int rows = batch.rowCount();
    if (candidates.length < rows) {
      candidates = new int[rows];
      ties = new int[rows];
    }
    int violation = rows;
    int count = 0;
    for (int k = 0; k < ordering.size(); k++) {
      ColumnOrder order = ordering.get(k);
      Column column = batch.column(order.column());
      int found =
          k == 0
              ? compareNeighbours(column, order.options(), rows)
              : compareTies(column, order.options(), count);
      int[] swap = candidates;
      candidates = ties;
      ties = swap;
      count = tieCount;
      if (found >= 0) {
        violation = Math.min(violation, found);
      }
      if (count == 0) {
        break;
      }
    }
    return violation == rows ? -1 : violation;
  }

  /** Compares all neighbours; answers the first violation or -1 and leaves the ties before it. */
  private int compareNeighbours(Column column, SortOptions options, int rows) {
    tieCount = 0;
    if (column.validity() == null) {
      if (column instanceof LongColumn longs) {
        return options.descending()
            ? falling(longs.values(), longs.offset(), rows)
            : rising(longs.values(), longs.offset(), rows);
      }
      if (column instanceof IntColumn ints) {
        return options.descending()
            ? falling(ints.values(), ints.offset(), rows)
            : rising(ints.values(), ints.offset(), rows);
      }
    }
    for (int row = 1; row < rows; row++) {
      int compared = RowComparator.compare(column, row - 1, column, row, options);
      if (compared > 0) {
        return row;
      }
      if (compared == 0) {
        ties[tieCount++] = row;
      }
    }
    return -1;
  }

  private int rising(long[] values, int offset, int rows) {
    int count = 0;
    for (int row = 1; row < rows; row++) {
      long before = values[offset + row - 1];
      long now = values[offset + row];
      if (before > now) {
        tieCount = count;
        return row;
      }
      ties[count] = row;
      count += before == now ? 1 : 0;
    }
    tieCount = count;
    return -1;
  }

  private int falling(long[] values, int offset, int rows) {
    int count = 0;
    for (int row = 1; row < rows; row++) {
      long before = values[offset + row - 1];
      long now = values[offset + row];
      if (before < now) {
        tieCount = count;
        return row;
      }
      ties[count] = row;
      count += before == now ? 1 : 0;
    }
    tieCount = count;
    return -1;
  }

  private int rising(int[] values, int offset, int rows) {
    int count = 0;
    for (int row = 1; row < rows; row++) {
      int before = values[offset + row - 1];
      int now = values[offset + row];
      if (before > now) {
        tieCount = count;
        return row;
      }
      ties[count] = row;
      count += before == now ? 1 : 0;
    }
    tieCount = count;
    return -1;
  }

  private int falling(int[] values, int offset, int rows) {
    int count = 0;
    for (int row = 1; row < rows; row++) {
      int before = values[offset + row - 1];
      int now = values[offset + row];
      if (before < now) {
        tieCount = count;
        return row;
      }
      ties[count] = row;
      count += before == now ? 1 : 0;
    }
    tieCount = count;
    return -1;
  }

  /** As {@link #compareNeighbours}, for the rows in {@link #candidates}. */
  private int compareTies(Column column, SortOptions options, int count) {
    tieCount = 0;
    for (int c = 0; c < count; c++) {
      int row = candidates[c];
      int compared = RowComparator.compare(column, row - 1, column, row, options);
      if (compared > 0) {
        return row;
      }
      if (compared == 0) {
        ties[tieCount++] = row;
      }
    }
    return -1;
  }

  /** The encoded key of the first row since the range began. */
  public EncodedKey firstKey() {
    if (first == null) {
      throw new IllegalStateException("no rows yet");
    }
    return first;
  }

  /** The encoded key of the last row. */
  public EncodedKey lastKey() {
    if (last == null) {
      throw new IllegalStateException("no rows yet");
    }
    return keys.encodeKeyColumns(last, new KeyWriter());
  }

  /** The last row's key, for a message. */
  public String describeLast() {
    return last == null ? "none" : keys.describe(last, 0, true);
  }

  public String describe(Batch batch, int row) {
    return keys.describe(batch, row, false);
  }
}
