package dev.varve.engine.statement;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.connector.lake.LakeConnector;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.operator.CoalescePartitionsExec;
import dev.varve.engine.operator.SortPreservingMergeExec;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.port.NameResolver;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.port.ProcedureContext;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.runtime.TaskWorkContext;
import dev.varve.engine.scan.IcebergTableSource;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.Table;

/** What a procedure is lent while it runs in a task. */
final class TaskProcedureContext extends TaskWorkContext implements ProcedureContext {
  private final StatementServices services;
  private final NameResolver names;
  private final Map<String, ObjectName> loaded = new ConcurrentHashMap<>();

  TaskProcedureContext(
      TaskContext task, MetricSet metrics, StatementServices services, NameResolver names) {
    super(task, metrics);
    this.services = services;
    this.names = names;
  }

  @Override
  public ObjectName resolve(String table) {
    return names.resolve(table);
  }

  @Override
  public Table load(ObjectName name) {
    if (!services.catalogs().hasSchema(name.catalog(), name.schema())) {
      throw MissingTable.error(services.catalogs(), name);
    }
    LakeConnector lake = lake(name);
    if (!lake.tables(name.schema()).contains(name.table())) {
      throw MissingTable.error(services.catalogs(), name);
    }
    Table table = lake.icebergTable(name.schema(), name.table());
    loaded.put(table.uuid().toString(), name);
    return table;
  }

  private LakeConnector lake(ObjectName name) {
    LakeConnector lake = services.lakes().get(name.catalog());
    if (lake == null) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "catalog '" + name.catalog() + "' holds no Iceberg tables");
    }
    return lake;
  }

  @Override
  public LayoutIndex layoutIndex() {
    return services.layoutIndex();
  }

  private IcebergTableSource source(Table table, long snapshotId) {
    ObjectName name = loaded.get(table.uuid().toString());
    if (name == null) {
      throw new IllegalStateException(table + " was not loaded here");
    }
    IcebergTableSource source = lake(name).source(name.schema(), name.table(), table, snapshotId);
    if (!source.hold(services.pins(), task().query()::closeAtEnd)) {
      throw new VarveException(
          ErrorCode.COMMIT_CONFLICT,
          "snapshot " + snapshotId + " of table " + name + " is being removed",
          null,
          "run the statement again",
          null);
    }
    return source;
  }

  @Override
  public List<FileFacts> files(Table table, long snapshotId) {
    return source(table, snapshotId).files();
  }

  @Override
  public BatchStream read(
      Table table, long snapshotId, List<FileFacts> files, List<ColumnOrder> mergeOrdering) {
    TaskContext task = task();
    PhysicalPlan plan =
        source(table, snapshotId).read(files, mergeOrdering, task.query().settings());
    if (plan.properties().partitioning().count() > 1) {
      plan =
          mergeOrdering.isEmpty()
              ? new CoalescePartitionsExec(plan)
              : new SortPreservingMergeExec(
                  plan, lexOrdering(plan, mergeOrdering), OptionalLong.empty());
    }
    return plan.execute(0, task);
  }

  @Override
  public BatchStream rows(Table table, long snapshotId, FileFacts file, List<Integer> columns) {
    TaskContext task = task();
    return source(table, snapshotId).rows(file, columns, task.query().settings()).execute(0, task);
  }

  private static LexOrdering lexOrdering(PhysicalPlan plan, List<ColumnOrder> ordering) {
    return new LexOrdering(
        ordering.stream()
            .map(k -> new SortExpr(ColumnExpr.of(plan.schema(), k.column()), k.options()))
            .toList());
  }
}
