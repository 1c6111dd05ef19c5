package dev.varve.engine.operator;

import dev.varve.engine.batch.Column;
import org.jspecify.annotations.Nullable;

/**
 * The build side of a join: its columns and where to find its rows by key. Immutable once built,
 * but for the marks of matched rows, which several tasks may set; they are all seen by the last
 * stream, which reads them after all others have said that they are through.
 */
final class JoinTable implements BuildSide {
  private final @Nullable Column[] columns;
  private final int rowCount;
  private final @Nullable JoinIndex index;
  private final int @Nullable [] next;
  private final byte[] matched;

  /**
   * @param columns by position in the left schema; null where nothing looks at it any more
   * @param index null if the join has no keys
   * @param marks whether matched rows are marked
   */
  JoinTable(@Nullable Column[] columns, int rowCount, @Nullable JoinIndex index, boolean marks) {
    this.columns = columns;
    this.rowCount = rowCount;
    this.index = index;
    this.next = index == null ? null : index.next();
    this.matched = new byte[marks ? rowCount : 0];
  }

  int rowCount() {
    return rowCount;
  }

  Column column(int position) {
    Column column = columns[position];
    if (column == null) {
      throw new IllegalStateException("left column " + position + " was not kept");
    }
    return column;
  }

  JoinIndex.Finder finder() {
    if (index == null) {
      throw new IllegalStateException("a join without keys");
    }
    return index.finder();
  }

  boolean hasKeys() {
    return index != null;
  }

  /** Whether a key has one row at most. */
  boolean isUnique() {
    return index != null && next == null;
  }

  /** The next build row of the same key, or -1; without keys just the next row. */
  int next(int row) {
    int[] after = next;
    if (after != null) {
      return after[row];
    }
    return index == null && row + 1 < rowCount ? row + 1 : -1;
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

  /** The first row from {@code row} on without a mark; the row count if there is none. */
  int nextUnmatched(int row) {
    int at = row;
    while (at < rowCount && matched[at] != 0) {
      at++;
    }
    return at;
  }
}
