package dev.varve.engine.scan;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.parquet.ColumnChunkReader;
import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.FooterReader;
import dev.varve.engine.parquet.PageIndexReader;
import dev.varve.engine.parquet.PageLocations;
import dev.varve.engine.parquet.ParquetFooter;
import dev.varve.engine.parquet.ParquetInput;
import dev.varve.engine.parquet.RowGroupReader;
import dev.varve.engine.parquet.RowRanges;
import dev.varve.engine.parquet.ScanBuffers;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.type.PhysicalType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.Trust;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/**
 * Reads one slice of a file: skips row groups by statistics, then by bloom filters, then pages, and
 * gives what is left in batches. Confined to one task; whoever made it closes it.
 *
 * <p>Backwards it decodes a stretch before the end that is short where pages can be skipped, keeps
 * its batches, and gives them from the last row to the first.
 */
final class FileScan implements AutoCloseable {
  /** About how large a batch may be where values are long. */
  private static final long BATCH_BYTES = 32 << 20;

  /** Rows of a stretch that is read backwards, where pages can be skipped. */
  private static final long STRETCH_ROWS = 32 << 10;

  private final ScanSpec spec;
  private final Schema schema;
  private final FileSlice slice;
  private final ScanFilters filters;
  private final ScanBuffers buffers;
  private final int batchSize;
  private final MetricSet metrics;
  private final ParquetInput.Blocking blocking;
  private ParquetInput input;

  private @Nullable ParquetFooter footer;
  private @Nullable PageIndexReader indexes;
  private @Nullable FileColumn[] columns = new FileColumn[0];

  /** What this file's rows are deleted by; null if nothing is deleted from any. */
  private final @Nullable TaskDeletes deletes;

  private @Nullable DeletedRows deletedRows;

  /** The table's columns, then those that only equality deletes are over. */
  private final List<ScanColumn> all;

  /** Those of {@link #all} that may be read. */
  private final BitSet needed;

  private List<RowFilter> rowFilters = List.of();
  private @Nullable RowGroupScan current;
  private int nextRowGroup;

  /**
   * Where batches are reserved that are given backwards; null where they are given as they come.
   */
  private final @Nullable MemoryReservation held;

  private final Deque<Batch> decoded = new ArrayDeque<>();
  private RowRanges before = RowRanges.all(0);

  FileScan(
      ScanSpec spec,
      Schema schema,
      FileSlice slice,
      @Nullable MemoryReservation held,
      ScanFilters filters,
      @Nullable TaskDeletes deletes,
      ScanBuffers buffers,
      int batchSize,
      MetricSet metrics,
      ParquetInput.Blocking blocking) {
    this.spec = spec;
    this.schema = schema;
    this.slice = slice;
    this.held = held;
    this.filters = filters;
    this.deletes = deletes;
    this.all = new ArrayList<>(spec.table().columns());
    this.needed = spec.readColumns();
    this.buffers = buffers;
    this.batchSize = batchSize;
    this.metrics = metrics;
    this.blocking = blocking;
    FileFacts file = slice.file();
    this.input =
        new ParquetInput(
            spec.table().io().newInputFile(file.path(), file.sizeBytes()),
            file.sizeBytes(),
            blocking,
            bytes -> metrics.add("bytes_read", bytes));
  }

  /** The next rows that pass; {@code progress} is called between rows that do not. */
  @Nullable Batch next(long limit, Runnable progress) {
    return held == null ? nextForwards(limit, progress) : nextBackwards(limit, progress, held);
  }

  private @Nullable Batch nextBackwards(long limit, Runnable progress, MemoryReservation memory) {
    while (decoded.isEmpty()) {
      RowGroupScan scan = openBefore();
      if (scan == null) {
        return null;
      }
      try (scan) {
        while (scan.hasNext()) {
          progress.run();
          Batch batch = scan.next(Long.MAX_VALUE);
          if (batch != null) {
            memory.grow(batch.sizeInBytes());
            decoded.push(batch);
          }
        }
      }
    }
    Batch last = decoded.pop();
    if (decoded.isEmpty()) {
      memory.shrink(memory.size());
    }
    int count = (int) Math.min(limit, last.rowCount());
    int[] rows = new int[count];
    for (int i = 0; i < count; i++) {
      rows[i] = last.rowCount() - 1 - i;
    }
    return last.take(rows, count);
  }

  /** The last stretch of rows before those that were read; null if there are none. */
  private @Nullable RowGroupScan openBefore() {
    ParquetFooter file = footer();
    while (true) {
      int rowGroup = file.rowGroups().size() - nextRowGroup;
      if (before.isEmpty()) {
        nextRowGroup++;
        rowGroup--;
        if (rowGroup < 0) {
          return null;
        }
        long start = file.startOffset(rowGroup);
        if (start >= slice.start() && start < slice.end()) {
          before = surviving(file, rowGroup);
        }
        continue;
      }
      PageIndexReader pageIndexes = indexes;
      boolean skipsPages = pageIndexes != null && hasLocations(pageIndexes, rowGroup);
      RowRanges last = skipsPages ? before.last(STRETCH_ROWS) : before;
      before = skipsPages ? before.before(last.ranges().getFirst().from()) : RowRanges.all(0);
      return scan(file, rowGroup, last, skipsPages ? pageIndexes : null);
    }
  }

  private boolean hasLocations(PageIndexReader pageIndexes, int rowGroup) {
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      FileColumn column = columns[i];
      if (column != null && pageIndexes.locations(rowGroup, column) == null) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Batch nextForwards(long limit, Runnable progress) {
    while (true) {
      progress.run();
      RowGroupScan scan = current;
      if (scan == null) {
        scan = openNext();
        if (scan == null) {
          return null;
        }
        current = scan;
      }
      if (!scan.hasNext()) {
        current = null;
        scan.close();
        continue;
      }
      Batch batch = scan.next(limit);
      if (batch != null) {
        return batch;
      }
    }
  }

  private @Nullable RowGroupScan openNext() {
    ParquetFooter file = footer();
    while (nextRowGroup < file.rowGroups().size()) {
      int rowGroup = nextRowGroup++;
      long start = file.startOffset(rowGroup);
      if (start < slice.start() || start >= slice.end()) {
        continue;
      }
      RowGroupScan scan = open(file, rowGroup);
      if (scan != null) {
        return scan;
      }
    }
    return null;
  }

  private ParquetFooter footer() {
    ParquetFooter known = footer;
    if (known == null) {
      known = readFooter();
      footer = known;
      indexes = new PageIndexReader(input, known, spec.table().footers());
      applyDeletes(known);
      columns = resolve(known);
    }
    return known;
  }

  /** Finds out which rows are deleted, and what must be read for that. */
  private void applyDeletes(ParquetFooter file) {
    rowFilters = filters.rows();
    TaskDeletes known = deletes;
    if (known == null) {
      return;
    }
    deletedRows = known.rows(slice.file(), file.rowCount()).orElse(null);
    List<RowFilter> equality = new ArrayList<>();
    for (EqualityDeletes values : known.equality(slice.file())) {
      int[] positions = values.columns().stream().mapToInt(this::position).toArray();
      for (int position : positions) {
        needed.set(position);
      }
      equality.add(known.filter(values, positions, slice.file()));
    }
    if (!equality.isEmpty()) {
      rowFilters = new ArrayList<>(rowFilters);
      rowFilters.addAll(filters.firstFallible(), equality);
    }
  }

  /** Where among {@link #all} a column is. */
  private int position(ScanColumn column) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).id() == column.id()) {
        return i;
      }
    }
    all.add(column);
    return all.size() - 1;
  }

  /**
   * A file that cannot be read at the size its table gives may be another one than its table means,
   * as where files were copied and compressed anew: its real size counts, unless the plan may rest
   * on what does not hold of it: on a verified order, or on another number of rows.
   */
  private ParquetFooter readFooter() {
    try {
      return FooterReader.read(input, spec.table().footers());
    } catch (VarveException e) {
      FileFacts file = slice.file();
      if (e.code() != ErrorCode.FILE_CORRUPT
          || file.orderings().stream().anyMatch(f -> f.trust() == Trust.VERIFIED)) {
        throw e;
      }
      ParquetInput real =
          ParquetInput.open(
              spec.table().io().newInputFile(file.path()),
              blocking,
              bytes -> metrics.add("bytes_read", bytes));
      if (real.size() == file.sizeBytes()) {
        throw e;
      }
      input.close();
      input = real;
      ParquetFooter other = FooterReader.read(real, spec.table().footers());
      if (other.rowCount() != file.recordCount()) {
        throw e;
      }
      metrics.add("files_of_other_size", 1);
      return other;
    }
  }

  private @Nullable FileColumn[] resolve(ParquetFooter file) {
    @Nullable FileColumn[] found = new FileColumn[all.size()];
    BitSet known = spec.knownColumns();
    known.or(needed);
    for (int i = known.nextSetBit(0); i >= 0; i = known.nextSetBit(i + 1)) {
      FileColumn column = spec.table().resolver().find(file, all.get(i));
      if (column != null && column.isNested()) {
        throw new VarveException(
            ErrorCode.FEATURE_NOT_SUPPORTED,
            file.path() + ": column " + column.name() + " is nested; this is not supported yet");
      }
      found[i] = column;
    }
    return found;
  }

  private @Nullable RowGroupScan open(ParquetFooter file, int rowGroup) {
    RowRanges surviving = surviving(file, rowGroup);
    return surviving.isEmpty()
        ? null
        : scan(file, rowGroup, surviving, skipsRows() ? indexes : null);
  }

  private boolean skipsRows() {
    return filters.condition() != null || deletedRows != null;
  }

  /** Those of a row group's rows that are worth a look. */
  private RowRanges surviving(ParquetFooter file, int rowGroup) {
    RowRanges possible = possible(file, rowGroup);
    DeletedRows deleted = deletedRows;
    if (deleted == null || possible.isEmpty()) {
      return possible;
    }
    RowRanges left = deleted.without(possible, firstRow(file, rowGroup));
    metrics.add("rows_deleted", possible.count() - left.count());
    return left;
  }

  private static long firstRow(ParquetFooter file, int rowGroup) {
    long before = 0;
    for (int i = 0; i < rowGroup; i++) {
      before += file.rowGroups().get(i).getRowCount();
    }
    return before;
  }

  /** The rows that statistics do not rule out; what they rule out is counted. */
  private RowRanges possible(ParquetFooter file, int rowGroup) {
    metrics.add("row_groups_total", 1);
    long rows = file.rowGroups().get(rowGroup).getRowCount();
    PageIndexReader pageIndexes = indexes;
    Condition condition = filters.condition();
    if (rows == 0 || condition == null || pageIndexes == null) {
      return RowRanges.all(rows);
    }
    RowGroupContainer facts =
        new RowGroupContainer(spec.table(), slice.file(), file, rowGroup, columns, null);
    if (!mayMatch(condition, facts)) {
      metrics.add("row_groups_pruned_statistics", 1);
      return RowRanges.all(0);
    }
    if (condition.probes() && !mayMatch(condition, facts.withBloomFilters(pageIndexes))) {
      metrics.add("row_groups_pruned_bloom", 1);
      return RowRanges.all(0);
    }
    RowRanges surviving =
        new PagePruning(spec.table(), pageIndexes, rowGroup, rows)
            .surviving(condition, columns, facts);
    metrics.add("rows_pruned", rows - surviving.count());
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      FileColumn column = columns[i];
      PageLocations locations = column == null ? null : pageIndexes.locations(rowGroup, column);
      if (locations != null) {
        count(locations, surviving);
      }
    }
    return surviving;
  }

  private static boolean mayMatch(Condition condition, ContainerFacts facts) {
    return (condition.possible(facts) & Condition.TRUE) != 0;
  }

  private RowGroupScan scan(
      ParquetFooter file,
      int rowGroup,
      RowRanges surviving,
      @Nullable PageIndexReader pageIndexes) {
    RowGroupScan.@Nullable Source[] sources = new RowGroupScan.Source[all.size()];
    RowGroupReader reader = new RowGroupReader(input, file, rowGroup, buffers);
    long rowBytes = 0;
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      FileColumn column = columns[i];
      if (column == null) {
        sources[i] =
            new RowGroupScan.Source(
                null, spec.table().resolver().missing(slice.file(), all.get(i)));
        continue;
      }
      PageLocations locations =
          pageIndexes == null ? null : pageIndexes.locations(rowGroup, column);
      ColumnChunkReader chunk = reader.open(column, all.get(i).type(), locations, surviving);
      sources[i] = new RowGroupScan.Source(chunk, null);
      rowBytes += bytesOfRow(file.chunk(rowGroup, column), all.get(i));
    }
    int rows = (int) Math.max(1, Math.min(batchSize, BATCH_BYTES / Math.max(1, rowBytes)));
    return new RowGroupScan(
        reader,
        sources,
        spec.output(),
        schema,
        rowFilters,
        surviving,
        deletedRows,
        firstRow(file, rowGroup),
        rows,
        metrics);
  }

  private void count(PageLocations locations, RowRanges surviving) {
    int pruned = 0;
    for (int page = 0; page < locations.count(); page++) {
      if (!surviving.overlaps(locations.firstRow(page), locations.endRow(page))) {
        pruned++;
      }
    }
    metrics.add("pages_total", locations.count());
    metrics.add("pages_pruned", pruned);
  }

  private static long bytesOfRow(ColumnChunkMetaData chunk, ScanColumn column) {
    return column.type().physical() == PhysicalType.BYTES
        ? chunk.getTotalUncompressedSize() / Math.max(1, chunk.getValueCount())
        : 16;
  }

  @Override
  public void close() {
    decoded.clear();
    RowGroupScan scan = current;
    current = null;
    if (scan != null) {
      scan.close();
    }
    DeletedRows held = deletedRows;
    deletedRows = null;
    if (held != null && deletes != null) {
      deletes.giveBack(held);
    }
    input.close();
  }
}
