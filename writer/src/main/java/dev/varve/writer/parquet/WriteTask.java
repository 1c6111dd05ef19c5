package dev.varve.writer.parquet;

import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.type.Schema;
import dev.varve.writer.option.WriterOptions;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.iceberg.io.OutputFile;

/**
 * What a {@link ParquetWriter} is to do.
 *
 * @param ordering the order that rows are checked to have; empty if none
 * @param refuseDisorder whether a row out of order is an error, or only keeps the order from being
 *     recorded for its file
 * @param files names the next file; called once for each, when its first row is there
 * @param metadata key-value pairs of every footer
 * @param parallel whether columns are encoded in tasks of their own; the files are the same
 */
public record WriteTask(
    List<ParquetColumn> columns,
    Schema schema,
    WriterOptions options,
    List<ColumnOrder> ordering,
    boolean refuseDisorder,
    Supplier<OutputFile> files,
    Map<String, String> metadata,
    boolean parallel) {
  public WriteTask {
    columns = List.copyOf(columns);
    ordering = List.copyOf(ordering);
    metadata = Map.copyOf(metadata);
  }
}
