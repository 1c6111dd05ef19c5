package dev.varve.catalog.scan;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Projections;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.jspecify.annotations.Nullable;

/** The tasks of the index's files, without those that their partition rules out. */
final class FileTasks implements CloseableIterator<FileScanTask> {
  private static final DeleteFile[] NO_DELETES = {};

  private final BaseTable table;
  private final Expression filter;
  private final boolean caseSensitive;
  private final String schema;
  private final Iterator<DataFile> files;
  private final Map<Integer, Spec> specs = new HashMap<>();
  private @Nullable FileScanTask next;

  FileTasks(BaseTable table, PlanTableScanRequest request, Iterator<DataFile> files) {
    this.table = table;
    this.filter = request.filter() == null ? Expressions.alwaysTrue() : request.filter();
    this.caseSensitive = request.caseSensitive();
    this.schema = SchemaParser.toJson(table.schema());
    this.files = files;
  }

  /** What a partition says of the filter. */
  private record Spec(String json, Evaluator mayMatch, ResidualEvaluator residuals) {}

  private Spec spec(int specId) {
    PartitionSpec spec = table.specs().get(specId);
    if (spec == null) {
      throw new IllegalStateException("a file has the unknown partition spec " + specId);
    }
    return new Spec(
        PartitionSpecParser.toJson(spec),
        new Evaluator(
            spec.partitionType(),
            Projections.inclusive(spec, caseSensitive).project(filter),
            caseSensitive),
        ResidualEvaluator.of(spec, filter, caseSensitive));
  }

  @Override
  public boolean hasNext() {
    while (next == null && files.hasNext()) {
      DataFile file = files.next();
      Spec spec = specs.computeIfAbsent(file.specId(), this::spec);
      if (spec.mayMatch().eval(file.partition())) {
        next = new BaseFileScanTask(file, NO_DELETES, schema, spec.json(), spec.residuals());
      }
    }
    return next != null;
  }

  @Override
  public FileScanTask next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    FileScanTask task = next;
    next = null;
    return task;
  }

  @Override
  public void close() {}
}
