package dev.varve.engine.parquet;

import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.jspecify.annotations.Nullable;

/** Where the data pages of a chunk are, and which rows they hold; checked to be consistent. */
public final class PageLocations {
  private final long[] offsets;
  private final int[] sizes;
  private final long[] firstRows;

  private PageLocations(long[] offsets, int[] sizes, long[] firstRows) {
    this.offsets = offsets;
    this.sizes = sizes;
    this.firstRows = firstRows;
  }

  /** Null if the index contradicts itself or the chunk: then it must not be used. */
  static @Nullable PageLocations of(OffsetIndex index, long chunkStart, long chunkEnd, long rows) {
    int pages = index.getPageCount();
    if (pages == 0) {
      return null;
    }
    long[] offsets = new long[pages];
    int[] sizes = new int[pages];
    long[] firstRows = new long[pages + 1];
    long position = chunkStart;
    long row = 0;
    for (int i = 0; i < pages; i++) {
      offsets[i] = index.getOffset(i);
      sizes[i] = index.getCompressedPageSize(i);
      firstRows[i] = index.getFirstRowIndex(i);
      if (offsets[i] < position
          || sizes[i] <= 0
          || offsets[i] + sizes[i] > chunkEnd
          || firstRows[i] < row
          || firstRows[i] > rows) {
        return null;
      }
      position = offsets[i] + sizes[i];
      row = firstRows[i];
    }
    firstRows[pages] = rows;
    return firstRows[0] == 0 ? new PageLocations(offsets, sizes, firstRows) : null;
  }

  public int count() {
    return offsets.length;
  }

  public long firstRow(int page) {
    return firstRows[page];
  }

  /** One past the last row of a page. */
  public long endRow(int page) {
    return firstRows[page + 1];
  }

  long offset(int page) {
    return offsets[page];
  }

  int size(int page) {
    return sizes[page];
  }

  /** The page that holds a row. */
  int pageOf(long row) {
    int low = 0;
    int high = offsets.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (firstRows[middle] <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
