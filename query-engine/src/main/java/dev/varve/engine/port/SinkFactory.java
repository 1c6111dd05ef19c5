package dev.varve.engine.port;

import dev.varve.engine.type.Schema;
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
      java.util.List<dev.varve.engine.ordering.ColumnOrder> inputOrdering) {}

  SinkPlan insert(InsertTarget target);

  SinkPlan copy(CopyTarget target);
}
