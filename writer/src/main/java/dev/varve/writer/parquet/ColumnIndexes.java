package dev.varve.writer.parquet;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.BoundaryOrder;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.jspecify.annotations.Nullable;

/** The page index of a column chunk. */
final class ColumnIndexes {
  private ColumnIndexes() {}

  /**
   * Bounds per page; null if a page has values but no bounds (only NaNs), which an index cannot
   * say.
   */
  static @Nullable ColumnIndex columnIndex(EncodedChunk chunk) {
    ParquetColumn column = chunk.column();
    ValueOrder order = ValueOrder.of(column);
    List<Boolean> nullPages = new ArrayList<>();
    List<ByteBuffer> lower = new ArrayList<>();
    List<ByteBuffer> upper = new ArrayList<>();
    List<Long> nulls = new ArrayList<>();
    List<Long> nans = new ArrayList<>();
    for (EncodedChunk.Page page : chunk.pages()) {
      PageStatistics known = page.statistics();
      nulls.add(known.nulls());
      nans.add(known.nans());
      if (known.min() != null && known.max() != null) {
        nullPages.add(false);
        lower.add(ByteBuffer.wrap(order.bytes(known.min(), column.physical())));
        upper.add(ByteBuffer.wrap(order.bytes(known.max(), column.physical())));
      } else if (known.nulls() == page.rows()) {
        nullPages.add(true);
        lower.add(ByteBuffer.allocate(0));
        upper.add(ByteBuffer.allocate(0));
      } else {
        return null;
      }
    }
    ColumnIndex index =
        new ColumnIndex(nullPages, lower, upper, boundaryOrder(chunk.pages(), order));
    index.setNull_counts(nulls);
    if (order == ValueOrder.FLOATING) {
      index.setNan_counts(nans);
    }
    return index;
  }

  /** Whether the bounds of pages with values rise or fall. */
  private static BoundaryOrder boundaryOrder(List<EncodedChunk.Page> pages, ValueOrder order) {
    boolean rising = true;
    boolean falling = true;
    PageStatistics before = null;
    for (EncodedChunk.Page page : pages) {
      PageStatistics now = page.statistics();
      if (now.min() == null || now.max() == null) {
        continue;
      }
      if (before != null && before.min() != null && before.max() != null) {
        int lower = order.compare(before.min(), now.min());
        int upper = order.compare(before.max(), now.max());
        rising &= lower <= 0 && upper <= 0;
        falling &= lower >= 0 && upper >= 0;
      }
      before = now;
    }
    return rising
        ? BoundaryOrder.ASCENDING
        : falling ? BoundaryOrder.DESCENDING : BoundaryOrder.UNORDERED;
  }

  /** Where the pages are; the first begins at {@code offset}. */
  static OffsetIndex offsetIndex(EncodedChunk chunk, long offset) {
    List<PageLocation> locations = new ArrayList<>();
    long at = offset;
    long row = 0;
    for (EncodedChunk.Page page : chunk.pages()) {
      locations.add(new PageLocation(at, page.bytes().length, row));
      at += page.bytes().length;
      row += page.rows();
    }
    return new OffsetIndex(locations);
  }
}
