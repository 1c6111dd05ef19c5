package dev.varve.engine.port;

import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.io.FileIO;

/** Makes sinks; the writer implements it. */
public interface SinkFactory {

  /**
   * INSERT or CTAS into an Iceberg table. {@code input} has the table's columns, by position, types
   * already coerced. With a transaction (CTAS) the sink appends to it and commits it; otherwise it
   * appends to the table.
   */
  record InsertTarget(Table table, Optional<Transaction> transaction, Schema input) {}

  /** COPY (query) TO: Parquet files in or at {@code path}. */
  record CopyTarget(
      String path,
      FileIO io,
      Map<String, String> options,
      Schema input,
      List<ColumnOrder> inputOrdering) {}

  /**
   * The Iceberg table properties that stand for a new table's {@code WITH} options.
   *
   * @throws dev.varve.layout.error.VarveException INVALID_PARAMETER for an unknown option, a value
   *     that does not fit, or a column that the table does not have; names a suggestion
   */
  Map<String, String> tableProperties(Map<String, String> options, List<Field> columns);

  SinkPlan insert(InsertTarget target);

  SinkPlan copy(CopyTarget target);
}
