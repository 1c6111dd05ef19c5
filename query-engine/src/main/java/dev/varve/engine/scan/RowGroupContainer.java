package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.PageIndexReader;
import dev.varve.engine.parquet.ParquetFooter;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.key.EncodedKey;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One row group, by its statistics in the footer and, if asked to, by its bloom filters. A column
 * that the file does not have is constant.
 */
final class RowGroupContainer implements ContainerFacts {
  private final ScanTable table;
  private final FileFacts file;
  private final ParquetFooter footer;
  private final int rowGroup;
  private final @Nullable FileColumn[] columns;
  private final @Nullable ColumnFacts[] facts;
  private final @Nullable PageIndexReader bloomFilters;

  RowGroupContainer(
      ScanTable table,
      FileFacts file,
      ParquetFooter footer,
      int rowGroup,
      @Nullable FileColumn[] columns,
      @Nullable PageIndexReader bloomFilters) {
    this.table = table;
    this.file = file;
    this.footer = footer;
    this.rowGroup = rowGroup;
    this.columns = columns;
    this.facts = new ColumnFacts[columns.length];
    this.bloomFilters = bloomFilters;
  }

  /** The same, with bloom filters. */
  RowGroupContainer withBloomFilters(PageIndexReader indexes) {
    return new RowGroupContainer(table, file, footer, rowGroup, columns, indexes);
  }

  private long rows() {
    return footer.rowGroups().get(rowGroup).getRowCount();
  }

  @Override
  public ColumnFacts column(int column) {
    ColumnFacts known = facts[column];
    if (known == null) {
      FileColumn present = columns[column];
      known =
          present == null
              ? constant(table.columns().get(column))
              : ParquetFacts.of(
                  table.columns().get(column), present, footer.chunk(rowGroup, present));
      facts[column] = known;
    }
    return known;
  }

  private ColumnFacts constant(ScanColumn column) {
    Column value = table.resolver().missing(file, column);
    if (value.isNull(0)) {
      return new ColumnFacts(
          column.id(),
          Bound.UNKNOWN,
          Bound.UNKNOWN,
          OptionalLong.of(rows()),
          OptionalLong.of(0),
          OptionalLong.empty());
    }
    EncodedKey key = ColumnKeys.encode(value, 0);
    if (key.equals(ColumnKeys.NAN)) {
      return ColumnFacts.unknown(column.id());
    }
    return new ColumnFacts(
        column.id(),
        new Bound.Exact(key),
        new Bound.Exact(key),
        OptionalLong.of(0),
        OptionalLong.of(0),
        OptionalLong.empty());
  }

  @Override
  public boolean allNull(int column) {
    return column(column).nullCount().orElse(-1) >= rows();
  }

  @Override
  public boolean mayContain(int column, LiteralExpr value) {
    FileColumn present = columns[column];
    PageIndexReader indexes = bloomFilters;
    if (present == null || indexes == null) {
      return true;
    }
    BloomProbe probe = BloomProbe.of(present, value).orElse(null);
    return probe == null
        || indexes
            .bloomFilter(rowGroup, present)
            .map(filter -> BloomProbe.ask(probe, filter))
            .orElse(true);
  }
}
