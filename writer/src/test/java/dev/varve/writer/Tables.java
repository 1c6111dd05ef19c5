package dev.varve.writer;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.SinkFactory.InsertTarget;
import dev.varve.engine.port.TableSink;
import dev.varve.engine.port.TableSink.SinkResult;
import dev.varve.engine.port.WorkContext;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.LayoutQuery;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Iceberg tables in memory, and what of them tests want to know. */
final class Tables {
  private Tables() {}

  static InMemoryCatalog catalog() {
    InMemoryCatalog catalog = new InMemoryCatalog();
    catalog.initialize("test", Map.of());
    catalog.createNamespace(Namespace.of("s"));
    return catalog;
  }

  static org.apache.iceberg.Schema icebergSchema(Schema schema) {
    List<Types.NestedField> fields = new ArrayList<>();
    schema
        .fields()
        .forEach(
            f ->
                fields.add(
                    f.nullable()
                        ? Types.NestedField.optional(f.fieldId(), f.name(), type(f.type()))
                        : Types.NestedField.required(f.fieldId(), f.name(), type(f.type()))));
    return new org.apache.iceberg.Schema(fields);
  }

  private static Type type(dev.varve.engine.type.DataType type) {
    return switch (type.kind()) {
      case BOOLEAN -> Types.BooleanType.get();
      case INTEGER -> Types.IntegerType.get();
      case BIGINT -> Types.LongType.get();
      case REAL -> Types.FloatType.get();
      case DOUBLE -> Types.DoubleType.get();
      case DECIMAL -> Types.DecimalType.of(type.precision(), type.scale());
      case DATE -> Types.DateType.get();
      case TIME -> Types.TimeType.get();
      case TIMESTAMP -> Types.TimestampType.withoutZone();
      case TIMESTAMPTZ -> Types.TimestampType.withZone();
      case VARCHAR -> Types.StringType.get();
      case VARBINARY -> Types.BinaryType.get();
      case UUID -> Types.UUIDType.get();
      default -> throw new IllegalStateException("no such Iceberg type: " + type);
    };
  }

  /** A table ordered by {@code orderedBy}, ascending with nulls last. */
  static Table create(
      Catalog catalog,
      String name,
      Schema schema,
      List<String> orderedBy,
      Map<String, String> properties) {
    org.apache.iceberg.Schema iceberg = icebergSchema(schema);
    Table created =
        catalog
            .buildTable(TableIdentifier.of("s", name), iceberg)
            .withProperties(properties)
            .withProperty("commit.retry.min-wait-ms", "1")
            .create();
    if (!orderedBy.isEmpty()) {
      var order = created.replaceSortOrder();
      orderedBy.forEach(c -> order.asc(c, org.apache.iceberg.NullOrder.NULLS_LAST));
      order.commit();
    }
    return catalog.loadTable(TableIdentifier.of("s", name));
  }

  static SinkResult insert(Table table, LayoutIndex index, WorkContext work, List<Batch> batches) {
    try (TableSink sink =
        new WriterSinkFactory(index)
            .insert(new InsertTarget(table, Optional.empty(), batches.getFirst().schema()))
            .open(work)) {
      batches.forEach(sink::write);
      return sink.finish();
    }
  }

  static List<DataFile> files(Table table) throws IOException {
    table.refresh();
    List<DataFile> files = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().includeColumnStats().planFiles()) {
      tasks.forEach(task -> files.add(task.file()));
    }
    files.sort(java.util.Comparator.comparing(DataFile::location));
    return files;
  }

  /** Copies a file of the table to the local disk. */
  static Path local(Table table, String location, Path folder) throws IOException {
    Path file = folder.resolve(location.substring(location.lastIndexOf('/') + 1));
    try (InputStream in = table.io().newInputFile(location).newStream()) {
      Files.write(file, in.readAllBytes());
    }
    return file;
  }

  /** The table, with some methods answered by others. */
  static Table overriding(Table table, Map<String, Supplier<Object>> methods) {
    return (Table)
        Proxy.newProxyInstance(
            Tables.class.getClassLoader(),
            new Class<?>[] {Table.class, org.apache.iceberg.HasTableOperations.class},
            (proxy, method, arguments) -> {
              Supplier<Object> other = methods.get(method.getName());
              if (other != null) {
                return other.get();
              }
              try {
                return method.invoke(table, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Remembers what is staged. */
  static final class StagingIndex implements LayoutIndex {
    final Map<String, FileFacts> staged = new HashMap<>();

    FileFacts facts(String location) {
      FileFacts facts = staged.get(location);
      if (facts == null) {
        throw new AssertionError("no facts are staged for " + location);
      }
      return facts;
    }

    @Override
    public LayoutAnswer plan(LayoutQuery query) {
      return new LayoutAnswer.NotIndexed(query.snapshotId(), "a test");
    }

    @Override
    public synchronized void stage(String tableUuid, List<FileFacts> files) {
      files.forEach(file -> staged.put(file.path(), file));
    }
  }
}
