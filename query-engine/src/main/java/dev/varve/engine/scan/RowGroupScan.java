package dev.varve.engine.scan;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.parquet.ColumnChunkReader;
import dev.varve.engine.parquet.RowGroupReader;
import dev.varve.engine.parquet.RowRanges;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.type.PhysicalType;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the surviving rows of one row group. The columns of the first filter are decoded first, the
 * others only for rows that are still wanted; a column whose rows are all passed over is not even
 * fetched. Confined to one task; whoever made it closes it.
 */
final class RowGroupScan implements AutoCloseable {
  /** A column: the reader of its chunk, or the value it has in every row. */
  record Source(@Nullable ColumnChunkReader reader, @Nullable Column constant) {}

  private final RowGroupReader rowGroup;
  private final @Nullable Source[] sources;
  private final List<Integer> output;
  private final Schema schema;
  private final List<RowFilter> filters;
  private final List<RowRanges.Range> ranges;
  private final int batchRows;
  private final MetricSet metrics;

  /** Rows deleted by position, which count from the file's begin; null if there are none. */
  private final @Nullable DeletedRows deleted;

  private final long firstRow;

  /** What filters have read of the current rows. */
  private final @Nullable Column[] current;

  /** What the batch has: a column may be wanted twice, but is read once. */
  private final @Nullable Column[] given;

  private final List<RowFilter> active;
  private int[] selection;
  private int[] narrowed;

  /** The selection, counted from its first row, once it was needed. */
  private final int[] shifted;

  private int shiftedCount;
  private int range;
  private long row;
  private boolean started;
  private boolean lateFetched;

  /**
   * @param sources by position in the file scan; null where a column is not needed
   * @param firstRow where in its file the row group begins
   */
  RowGroupScan(
      RowGroupReader rowGroup,
      @Nullable Source[] sources,
      List<Integer> output,
      Schema schema,
      List<RowFilter> filters,
      RowRanges rows,
      @Nullable DeletedRows deleted,
      long firstRow,
      int batchRows,
      MetricSet metrics) {
    this.rowGroup = rowGroup;
    this.sources = sources;
    this.output = output;
    this.schema = schema;
    this.filters = filters;
    this.ranges = rows.ranges();
    this.deleted = deleted;
    this.firstRow = firstRow;
    this.batchRows = batchRows;
    this.metrics = metrics;
    this.current = new Column[sources.length];
    this.given = new Column[sources.length];
    int selecting = filters.size() + (deleted == null ? 0 : 1);
    this.selection = new int[selecting == 0 ? 0 : batchRows];
    this.narrowed = new int[selecting > 1 ? batchRows : 0];
    this.shifted = new int[selection.length];
    this.active = new ArrayList<>(filters.size());
  }

  /** Whether there are rows to look at. */
  boolean hasNext() {
    return range < ranges.size();
  }

  /** The wanted ones of the next rows; null if none of them is. At most {@code limit} rows. */
  @Nullable Batch next(long limit) {
    active.clear();
    for (RowFilter filter : filters) {
      if (filter.isActive()) {
        active.add(filter);
      }
    }
    start();
    RowRanges.Range here = ranges.get(range);
    long most = active.isEmpty() && deleted == null ? Math.min(batchRows, limit) : batchRows;
    int rows = (int) Math.min(most, here.to() - row);
    Arrays.fill(current, null);
    shiftedCount = 0;
    int live = selectLive(rows);
    int selected = select(rows, live);
    Batch batch = selected == 0 ? null : output(rows, (int) Math.min(selected, limit));
    metrics.add("rows_pruned", live - selected);
    row += rows;
    if (row == here.to()) {
      range++;
      row = range < ranges.size() ? ranges.get(range).from() : row;
    }
    return batch;
  }

  private void start() {
    if (started) {
      return;
    }
    started = true;
    row = ranges.getFirst().from();
    if (active.isEmpty()) {
      fetchLate();
    } else {
      fetch(Arrays.stream(active.getFirst().columns()).boxed().toList());
    }
  }

  private void fetchLate() {
    if (!lateFetched) {
      lateFetched = true;
      fetch(output);
    }
  }

  private void fetch(List<Integer> columns) {
    List<ColumnChunkReader> readers = new ArrayList<>();
    for (int column : columns) {
      Source source = source(column);
      if (source.reader != null) {
        readers.add(source.reader);
      }
    }
    rowGroup.prefetch(readers);
  }

  /** Fills {@link #selection} with the rows that are not deleted by position. */
  private int selectLive(int rows) {
    DeletedRows positions = deleted;
    if (positions == null) {
      return rows;
    }
    int live = positions.select(firstRow + row, rows, selection);
    metrics.add("rows_deleted", rows - live);
    return live;
  }

  /** Narrows {@link #selection}, which holds {@code live} of the rows, by the active filters. */
  private int select(int rows, int live) {
    int count = live;
    for (int i = 0; i < active.size() && count > 0; i++) {
      RowFilter filter = active.get(i);
      List<Column> values = new ArrayList<>(filter.columns().length);
      for (int column : filter.columns()) {
        Column all = readEncoded(column, rows);
        values.add(count < rows ? all.take(selection, count) : all);
      }
      if (count == rows) {
        count = filter.select(values, rows, selection);
      } else {
        int kept = filter.select(values, count, narrowed);
        for (int k = 0; k < kept; k++) {
          narrowed[k] = selection[narrowed[k]];
        }
        int[] swap = selection;
        selection = narrowed;
        narrowed = swap;
        count = kept;
      }
    }
    return count;
  }

  private Batch output(int rows, int selected) {
    fetchLate();
    List<Column> columns = new ArrayList<>(output.size());
    Arrays.fill(given, null);
    for (int column : output) {
      Column known = given[column];
      if (known == null) {
        known = selected == rows ? readAll(column, rows) : readSelected(column, selected);
        given[column] = known;
      }
      columns.add(known);
    }
    return new Batch(schema, columns, selected);
  }

  /** All of the rows for filters, once; in codes where the file has codes. */
  private Column readEncoded(int column, int rows) {
    Column known = current[column];
    if (known == null) {
      Source source = source(column);
      ColumnChunkReader reader = source.reader;
      if (reader == null) {
        known = constant(source, rows);
      } else {
        reader.skip(row - reader.row());
        known = reader.readEncoded(rows);
      }
      current[column] = known;
    }
    return known;
  }

  private Column readAll(int column, int rows) {
    Column known = current[column];
    if (known != null) {
      return keepsCodes(known) ? known : known.flat();
    }
    Source source = source(column);
    ColumnChunkReader reader = source.reader;
    if (reader == null) {
      return constant(source, rows);
    }
    reader.skip(row - reader.row());
    return reader.read(rows);
  }

  /** The selected rows; of a column not yet read, only the stretch they lie in is decoded. */
  private Column readSelected(int column, int selected) {
    Column known = current[column];
    if (known != null) {
      return keepsCodes(known) ? known.take(selection, selected) : flat(known, selected);
    }
    Source source = source(column);
    ColumnChunkReader reader = source.reader;
    if (reader == null) {
      return constant(source, selected);
    }
    int first = selection[0];
    int stretch = selection[selected - 1] - first + 1;
    reader.skip(row + first - reader.row());
    if (stretch == selected) {
      return reader.read(stretch);
    }
    if (shiftedCount != selected) {
      for (int i = 0; i < selected; i++) {
        shifted[i] = selection[i] - first;
      }
      shiftedCount = selected;
    }
    return reader.readSelected(stretch, shifted, selected);
  }

  /** Operators use the codes of byte arrays; of numbers they want the values. */
  private static boolean keepsCodes(Column column) {
    return column.type().physical() == PhysicalType.BYTES || !(column instanceof DictionaryColumn);
  }

  /** The values of the selected rows, without a step over their codes. */
  private Column flat(Column known, int selected) {
    DictionaryColumn coded = (DictionaryColumn) known;
    int[] codes = coded.codes();
    int offset = coded.offset();
    byte[] validity = coded.validity();
    int[] entries = new int[selected];
    for (int i = 0; i < selected; i++) {
      int at = offset + selection[i];
      entries[i] = validity != null && validity[at] == 0 ? -1 : codes[at];
    }
    return coded.dictionary().take(entries, selected);
  }

  private static Column constant(Source source, int rows) {
    Column value = source.constant;
    if (value == null) {
      throw new IllegalStateException("a column without reader and value");
    }
    return new ConstantColumn(value, rows);
  }

  private Source source(int column) {
    Source source = sources[column];
    if (source == null) {
      throw new IllegalStateException("column " + column + " is not read");
    }
    return source;
  }

  @Override
  public void close() {
    rowGroup.close();
  }
}
