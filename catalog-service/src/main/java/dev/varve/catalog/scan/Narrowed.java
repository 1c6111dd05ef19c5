package dev.varve.catalog.scan;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.apache.iceberg.io.CloseableIterator;

/** Tasks that were found by a wider filter, with what is left of the filter that was asked for. */
final class Narrowed implements CloseableIterator<FileScanTask> {
  private final CloseableIterator<FileScanTask> tasks;
  private final Expression filter;
  private final boolean caseSensitive;
  private final Map<Integer, Spec> specs = new HashMap<>();

  Narrowed(CloseableIterator<FileScanTask> tasks, Expression filter, boolean caseSensitive) {
    this.tasks = tasks;
    this.filter = filter;
    this.caseSensitive = caseSensitive;
  }

  private record Spec(String schema, String json, ResidualEvaluator residuals) {}

  /** The spec as the scan has it: bound to the schema under which the filter is asked. */
  private Spec spec(FileScanTask task) {
    PartitionSpec spec = task.spec();
    return new Spec(
        SchemaParser.toJson(spec.schema()),
        PartitionSpecParser.toJson(spec),
        ResidualEvaluator.of(spec, filter, caseSensitive));
  }

  @Override
  public boolean hasNext() {
    return tasks.hasNext();
  }

  @Override
  public FileScanTask next() {
    FileScanTask task = tasks.next();
    Spec spec = specs.computeIfAbsent(task.file().specId(), _ -> spec(task));
    return new BaseFileScanTask(
        task.file(),
        task.deletes().toArray(DeleteFile[]::new),
        spec.schema(),
        spec.json(),
        spec.residuals());
  }

  @Override
  public void close() throws IOException {
    tasks.close();
  }
}
