package dev.varve.engine.scan;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.parquet.ColumnChunkReader;
import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.FooterReader;
import dev.varve.engine.parquet.PageIndexReader;
import dev.varve.engine.parquet.PageLocations;
import dev.varve.engine.parquet.ParquetFooter;
import dev.varve.engine.parquet.ParquetInput;
import dev.varve.engine.parquet.RowGroupReader;
import dev.varve.engine.parquet.RowRanges;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.type.PhysicalType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.BitSet;
import java.util.List;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/**
 * Reads one slice of a file: skips row groups by statistics, then by bloom filters, then pages, and
 * gives what is left in batches. Confined to one task; whoever made it closes it.
 */
final class FileScan implements AutoCloseable {
  /** About how large a batch may be where values are long. */
  private static final long BATCH_BYTES = 32 << 20;

  private final ScanSpec spec;
  private final Schema schema;
  private final FileSlice slice;
  private final ScanFilters filters;
  private final int batchSize;
  private final MetricSet metrics;
  private final ParquetInput input;

  private @Nullable ParquetFooter footer;
  private @Nullable PageIndexReader indexes;
  private @Nullable FileColumn[] columns = new FileColumn[0];
  private @Nullable RowGroupScan current;
  private int nextRowGroup;

  FileScan(
      ScanSpec spec,
      Schema schema,
      FileSlice slice,
      ScanFilters filters,
      int batchSize,
      MetricSet metrics,
      ParquetInput.Blocking blocking) {
    this.spec = spec;
    this.schema = schema;
    this.slice = slice;
    this.filters = filters;
    this.batchSize = batchSize;
    this.metrics = metrics;
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
      known = FooterReader.read(input, spec.table().footers());
      footer = known;
      indexes = new PageIndexReader(input, known, spec.table().footers());
      columns = resolve(known);
    }
    return known;
  }

  private @Nullable FileColumn[] resolve(ParquetFooter file) {
    List<ScanColumn> all = spec.table().columns();
    @Nullable FileColumn[] found = new FileColumn[all.size()];
    BitSet needed = spec.knownColumns();
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
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
    metrics.add("row_groups_total", 1);
    long rows = file.rowGroups().get(rowGroup).getRowCount();
    if (rows == 0) {
      return null;
    }
    RowRanges surviving = RowRanges.all(rows);
    PageIndexReader pageIndexes = indexes;
    Condition condition = filters.condition();
    boolean prunes = condition != null && pageIndexes != null;
    if (condition != null && pageIndexes != null) {
      RowGroupContainer facts =
          new RowGroupContainer(spec.table(), slice.file(), file, rowGroup, columns, null);
      if (!mayMatch(condition, facts)) {
        metrics.add("row_groups_pruned_statistics", 1);
        return null;
      }
      if (condition.probes() && !mayMatch(condition, facts.withBloomFilters(pageIndexes))) {
        metrics.add("row_groups_pruned_bloom", 1);
        return null;
      }
      surviving =
          new PagePruning(spec.table(), pageIndexes, rowGroup, rows)
              .surviving(condition, columns, facts);
    }
    return scan(file, rowGroup, surviving, prunes ? pageIndexes : null);
  }

  private static boolean mayMatch(Condition condition, ContainerFacts facts) {
    return (condition.possible(facts) & Condition.TRUE) != 0;
  }

  private @Nullable RowGroupScan scan(
      ParquetFooter file,
      int rowGroup,
      RowRanges surviving,
      @Nullable PageIndexReader pageIndexes) {
    List<ScanColumn> all = spec.table().columns();
    BitSet needed = spec.readColumns();
    RowGroupScan.@Nullable Source[] sources = new RowGroupScan.Source[all.size()];
    RowGroupReader reader =
        new RowGroupReader(input, file, rowGroup, spec.table().services().buffers());
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
      count(locations, surviving);
      if (!surviving.isEmpty()) {
        ColumnChunkReader chunk = reader.open(column, all.get(i).type(), locations, surviving);
        sources[i] = new RowGroupScan.Source(chunk, null);
        rowBytes += bytesOfRow(file.chunk(rowGroup, column), all.get(i));
      }
    }
    metrics.add("rows_pruned", file.rowGroups().get(rowGroup).getRowCount() - surviving.count());
    if (surviving.isEmpty()) {
      return null;
    }
    int rows = (int) Math.max(1, Math.min(batchSize, BATCH_BYTES / Math.max(1, rowBytes)));
    return new RowGroupScan(
        reader, sources, spec.output(), schema, filters.rows(), surviving, rows, metrics);
  }

  private void count(@Nullable PageLocations locations, RowRanges surviving) {
    if (locations == null) {
      return;
    }
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
    RowGroupScan scan = current;
    current = null;
    if (scan != null) {
      scan.close();
    }
    input.close();
  }
}
