package dev.varve.engine.scan;

import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.PageIndexReader;
import dev.varve.engine.parquet.PageLocations;
import dev.varve.engine.parquet.RowRanges;
import dev.varve.layout.ColumnFacts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of a row group that its page indexes do not rule out. The chunks of a row group
 * have different page boundaries: the rows are divided at all of them, and the filter is asked for
 * each piece with the facts of the pages that it lies in.
 */
final class PagePruning {
  private final ScanTable table;
  private final PageIndexReader indexes;
  private final int rowGroup;
  private final long rows;

  PagePruning(ScanTable table, PageIndexReader indexes, int rowGroup, long rows) {
    this.table = table;
    this.indexes = indexes;
    this.rowGroup = rowGroup;
    this.rows = rows;
  }

  /** A column's pages with their facts, and the one that was moved to. */
  private static final class Paged {
    private final PageLocations pages;
    private final List<ColumnFacts> facts;
    private int current;

    Paged(PageLocations pages, List<ColumnFacts> facts) {
      this.pages = pages;
      this.facts = facts;
    }

    void moveTo(long row) {
      while (pages.endRow(current) <= row) {
        current++;
      }
    }

    ColumnFacts currentFacts() {
      return facts.get(current);
    }

    long currentRows() {
      return pages.endRow(current) - pages.firstRow(current);
    }
  }

  /**
   * @param files the file's columns by position in the table; null where it has none
   * @param whole what is known of the row group as a whole
   */
  RowRanges surviving(Condition condition, @Nullable FileColumn[] files, ContainerFacts whole) {
    BitSet columns = new BitSet();
    condition.collectColumns(columns);
    Map<Integer, Paged> paged = new HashMap<>();
    TreeSet<Long> boundaries = new TreeSet<>(List.of(0L, rows));
    for (int column = columns.nextSetBit(0); column >= 0; column = columns.nextSetBit(column + 1)) {
      FileColumn file = files[column];
      Paged pages = file == null ? null : load(table.columns().get(column), file);
      if (pages != null) {
        paged.put(column, pages);
        for (int page = 0; page < pages.pages.count(); page++) {
          boundaries.add(pages.pages.firstRow(page));
        }
      }
    }
    if (paged.isEmpty()) {
      return RowRanges.all(rows);
    }
    RowRanges.Builder surviving = new RowRanges.Builder();
    Piece piece = new Piece(paged, whole);
    long from = 0;
    for (long to : boundaries.tailSet(1L)) {
      for (Paged pages : paged.values()) {
        pages.moveTo(from);
      }
      if ((condition.possible(piece) & Condition.TRUE) != 0) {
        surviving.add(from, to);
      }
      from = to;
    }
    return surviving.build();
  }

  private @Nullable Paged load(ScanColumn column, FileColumn file) {
    PageLocations pages = indexes.locations(rowGroup, file);
    ColumnIndex index = pages == null ? null : indexes.columnIndex(rowGroup, file);
    if (pages == null || index == null || index.getNullPages().size() != pages.count()) {
      return null;
    }
    List<ColumnFacts> facts = new ArrayList<>(pages.count());
    for (int page = 0; page < pages.count(); page++) {
      facts.add(
          ParquetFacts.ofPage(
              column, file, index, page, pages.endRow(page) - pages.firstRow(page)));
    }
    return new Paged(pages, facts);
  }

  /** Rows that lie within one page of each column: the pages that were moved to. */
  private record Piece(Map<Integer, Paged> paged, ContainerFacts whole) implements ContainerFacts {
    @Override
    public ColumnFacts column(int column) {
      Paged pages = paged.get(column);
      return pages == null ? whole.column(column) : pages.currentFacts();
    }

    @Override
    public boolean allNull(int column) {
      Paged pages = paged.get(column);
      return pages == null
          ? whole.allNull(column)
          : pages.currentFacts().nullCount().orElse(-1) == pages.currentRows();
    }
  }
}
