package dev.varve.engine.kernel.key;

import dev.varve.engine.batch.Column;
import org.jspecify.annotations.Nullable;

/**
 * The keys of some rows, to be compared with others of the same layout: the values of each key
 * column as unsigned numbers of its order, side by side, where all of them have at most eight
 * bytes; encoded rows otherwise. Nothing is packed, since merging looks at each row once or twice.
 * Not to be written once made; safe for concurrent reads.
 */
public final class MergeKeys {
  private final int count;
  private final long[] first;
  private final long[][] others;

  /** For each key what its nulls rank among values (which are {@link KeyLayout#VALUE}). */
  private final byte @Nullable [] @Nullable [] ranks;

  private final boolean ranked;
  private final @Nullable RowKeys encoded;

  private MergeKeys(
      int count,
      long[] first,
      long[][] others,
      byte @Nullable [] @Nullable [] ranks,
      boolean ranked,
      @Nullable RowKeys encoded) {
    this.count = count;
    this.first = first;
    this.others = others;
    this.ranks = ranks;
    this.ranked = ranked;
    this.encoded = encoded;
  }

  /** Whether rows of these types are compared as numbers. */
  static boolean areNumbers(KeyLayout layout) {
    return layout.types().stream()
        .allMatch(type -> KeyLayout.width(type) > 0 && KeyLayout.width(type) <= 8);
  }

  /** The keys of rows [0, count) of the columns, one column for each key of the layout. */
  public static MergeKeys of(KeyLayout layout, Column[] columns, int count) {
    if (!areNumbers(layout)) {
      return new MergeKeys(
          count,
          new long[0],
          new long[0][],
          null,
          false,
          new KeyEncoder(layout).encode(columns, count));
    }
    long[][] values = new long[columns.length][];
    byte[] @Nullable [] ranks = new byte[columns.length][];
    boolean ranked = false;
    for (int k = 0; k < columns.length; k++) {
      Column column = columns[k].flat();
      values[k] = new long[count];
      NormalizedValues.write(
          column, count, layout.descending(k), KeyLayout.width(column.type()), values[k]);
      byte[] validity = column.validity();
      if (validity != null) {
        byte[] rank = new byte[count];
        int offset = column.offset();
        for (int i = 0; i < count; i++) {
          rank[i] = (byte) (validity[offset + i] != 0 ? KeyLayout.VALUE : layout.nullByte(k));
        }
        ranks[k] = rank;
        ranked = true;
      }
    }
    long[][] others = new long[columns.length - 1][];
    System.arraycopy(values, 1, others, 0, others.length);
    return new MergeKeys(count, values[0], others, ranks, ranked, null);
  }

  public int count() {
    return count;
  }

  /** Negative, 0 or positive: row {@code i} of these against row {@code j} of the others. */
  public int compare(int i, MergeKeys other, int j) {
    RowKeys own = encoded;
    if (own != null && other.encoded != null) {
      return own.compare(i, other.encoded, j);
    }
    if (ranked || other.ranked) {
      return compareRanked(i, other, j);
    }
    long a = first[i];
    long b = other.first[j];
    if (a != b) {
      return Long.compareUnsigned(a, b);
    }
    for (int k = 0; k < others.length; k++) {
      a = others[k][i];
      b = other.others[k][j];
      if (a != b) {
        return Long.compareUnsigned(a, b);
      }
    }
    return 0;
  }

  private int compareRanked(int i, MergeKeys other, int j) {
    for (int k = 0; k <= others.length; k++) {
      int rank = rank(k, i);
      int otherRank = other.rank(k, j);
      if (rank != otherRank) {
        return rank - otherRank;
      }
      // Two nulls are equal: their values are 0.
      long a = k == 0 ? first[i] : others[k - 1][i];
      long b = k == 0 ? other.first[j] : other.others[k - 1][j];
      if (a != b) {
        return Long.compareUnsigned(a, b);
      }
    }
    return 0;
  }

  private int rank(int key, int row) {
    byte[] own = ranks == null ? null : ranks[key];
    return own == null ? KeyLayout.VALUE : own[row];
  }

  public boolean equal(int i, MergeKeys other, int j) {
    return compare(i, other, j) == 0;
  }
}
