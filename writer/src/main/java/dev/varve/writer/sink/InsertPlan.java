package dev.varve.writer.sink;

import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.port.SinkFactory.InsertTarget;
import dev.varve.engine.port.SinkPlan;
import dev.varve.engine.port.TableSink;
import dev.varve.engine.port.WorkContext;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.upkeep.UploadLog;
import dev.varve.writer.option.OptionReader;
import dev.varve.writer.option.WriterOptions;
import dev.varve.writer.order.TableOrder;
import dev.varve.writer.parquet.ParquetColumn;
import dev.varve.writer.parquet.ParquetColumns;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.types.Types;

/** INSERT or CTAS into an Iceberg table. Immutable. */
public final class InsertPlan implements SinkPlan {
  private final InsertTarget target;
  private final LayoutIndex layoutIndex;
  private final UploadLog uploads;
  private final boolean parallel;
  private final Table table;
  private final TableOrder order;
  private final WriterOptions options;
  private final List<ParquetColumn> columns;

  /**
   * @throws VarveException FEATURE_NOT_SUPPORTED for a table that cannot be written yet;
   *     INVALID_PARAMETER for a table property with a value that does not fit
   */
  public InsertPlan(
      InsertTarget target, LayoutIndex layoutIndex, UploadLog uploads, boolean parallel) {
    this.uploads = uploads;
    this.target = target;
    this.layoutIndex = layoutIndex;
    this.parallel = parallel;
    this.table = target.transaction().map(Transaction::table).orElse(target.table());
    if (table.spec().isPartitioned()) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "table "
              + table.name()
              + " is partitioned, and partitioned tables cannot be written yet");
    }
    this.order = TableOrder.of(table.schema(), table.sortOrder());
    this.options =
        OptionReader.ofTable(
            table.properties(),
            table.schema().columns().stream().map(Types.NestedField::name).toList());
    this.columns = ParquetColumns.of(table.schema(), target.input());
  }

  @Override
  public String describe() {
    return "insert into " + table.name();
  }

  @Override
  public List<ColumnOrder> requiredOrdering() {
    return order.columns();
  }

  @Override
  public TableSink open(WorkContext context) {
    return new InsertSink(this, context);
  }

  Table table() {
    return table;
  }

  /** The table as its catalog sees it after the commit. */
  Table committedTable() {
    return target.table();
  }

  Optional<Transaction> transaction() {
    return target.transaction();
  }

  LayoutIndex layoutIndex() {
    return layoutIndex;
  }

  UploadLog uploads() {
    return uploads;
  }

  TableOrder order() {
    return order;
  }

  WriterOptions options() {
    return options;
  }

  List<ParquetColumn> columns() {
    return columns;
  }

  dev.varve.engine.type.Schema input() {
    return target.input();
  }

  boolean isParallel() {
    return parallel;
  }
}
