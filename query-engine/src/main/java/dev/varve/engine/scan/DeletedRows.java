package dev.varve.engine.scan;

import dev.varve.engine.parquet.RowRanges;

/**
 * Which rows of one file are deleted by position: a bit for each row. Filled by one task, and read
 * only by it.
 */
final class DeletedRows {
  /** As many deleted rows in a row are passed over as a whole: pages of them need not be read. */
  private static final int LONG_RUN = 1024;

  private final long rows;
  private final long[] words;
  private long count;

  DeletedRows(long rows) {
    this.rows = rows;
    this.words = new long[wordCount(rows)];
  }

  private static int wordCount(long rows) {
    return Math.toIntExact((rows + 63) >>> 6);
  }

  long sizeInBytes() {
    return bytes(rows);
  }

  /** What the bits of a file with so many rows take. */
  static long bytes(long rows) {
    return 8L * wordCount(rows);
  }

  /** A position behind the file's end deletes nothing. */
  void delete(long position) {
    if (position < 0 || position >= rows) {
      return;
    }
    long bit = 1L << position;
    long word = words[(int) (position >>> 6)];
    count += (word & bit) == 0 ? 1 : 0;
    words[(int) (position >>> 6)] = word | bit;
  }

  long count() {
    return count;
  }

  boolean isDeleted(long position) {
    return (words[(int) (position >>> 6)] >>> position & 1) != 0;
  }

  /** Writes which of {@code count} rows from {@code from} on are left, ascending; how many. */
  int select(long from, int count, int[] selection) {
    int selected = 0;
    for (int i = 0; i < count; i++) {
      long position = from + i;
      selection[selected] = i;
      selected += (int) (~words[(int) (position >>> 6)] >>> position & 1);
    }
    return selected;
  }

  /** Without long runs of deleted rows; {@code first} is the position of row 0 of the ranges. */
  RowRanges without(RowRanges ranges, long first) {
    RowRanges.Builder left = new RowRanges.Builder();
    for (RowRanges.Range range : ranges.ranges()) {
      long from = first + range.from();
      long end = first + range.to();
      long at = from;
      while (at < end) {
        long deleted = next(at, end, true);
        long live = next(deleted, end, false);
        if (live - deleted >= LONG_RUN || (deleted == from && live == end)) {
          left.add(from - first, deleted - first);
          from = live;
        }
        at = live;
      }
      left.add(from - first, end - first);
    }
    return left.build();
  }

  /** The first row of [from, end) that is deleted, or is not; {@code end} if there is none. */
  private long next(long from, long end, boolean deleted) {
    long at = from;
    while (at < end) {
      long word = words[(int) (at >>> 6)];
      long found = (deleted ? word : ~word) >>> at;
      if (found != 0) {
        return Math.min(end, at + Long.numberOfTrailingZeros(found));
      }
      at = (at | 63) + 1;
    }
    return end;
  }
}
