package dev.varve.engine.parquet;

import java.util.ArrayList;
import java.util.List;

/** Rows of one row group: half-open ranges, ascending, neither empty nor touching. */
public record RowRanges(List<Range> ranges) {
  public record Range(long from, long to) {
    public long count() {
      return to - from;
    }
  }

  public RowRanges {
    ranges = List.copyOf(ranges);
  }

  public static RowRanges all(long rows) {
    return new RowRanges(rows == 0 ? List.of() : List.of(new Range(0, rows)));
  }

  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  public long count() {
    long rows = 0;
    for (Range range : ranges) {
      rows += range.count();
    }
    return rows;
  }

  /** About the last {@code rows} of these. */
  public RowRanges last(long rows) {
    List<Range> kept = new ArrayList<>();
    long left = rows;
    for (int i = ranges.size() - 1; i >= 0 && left > 0; i--) {
      Range range = ranges.get(i);
      long from = Math.max(range.from, range.to - left);
      kept.addFirst(new Range(from, range.to));
      left -= range.to - from;
    }
    return new RowRanges(kept);
  }

  /** Those of these below {@code row}. */
  public RowRanges before(long row) {
    Builder builder = new Builder();
    for (Range range : ranges) {
      builder.add(range.from, Math.min(range.to, row));
    }
    return builder.build();
  }

  /** Whether any row of [from, to) is among these. */
  public boolean overlaps(long from, long to) {
    for (Range range : ranges) {
      if (range.from < to && from < range.to) {
        return true;
      }
    }
    return false;
  }

  /** Collects ascending pieces, joining those that touch. */
  public static final class Builder {
    private final List<Range> ranges = new ArrayList<>();

    public void add(long from, long to) {
      if (from >= to) {
        return;
      }
      if (!ranges.isEmpty() && ranges.getLast().to() == from) {
        ranges.set(ranges.size() - 1, new Range(ranges.getLast().from(), to));
      } else {
        ranges.add(new Range(from, to));
      }
    }

    public RowRanges build() {
      return new RowRanges(ranges);
    }
  }
}
