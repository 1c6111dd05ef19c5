package dev.varve.writer;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.port.ProcedureContext;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.jspecify.annotations.Nullable;

/**
 * A procedure's context over one table of two BIGINT columns; {@link FileReader} reads files, and a
 * merge is a stable sort of what was read.
 */
public final class FakeProcedure extends FakeWork implements ProcedureContext {
  private final Table table;
  private final Tables.StagingIndex index;
  private final List<String> reads = new ArrayList<>();
  private Runnable beforeRead = () -> {};
  private boolean merged;

  FakeProcedure(Table table, Tables.StagingIndex index, long limit) {
    super("compaction", 2, limit);
    this.table = table;
    this.index = index;
  }

  /** Runs once, when the first file is read. */
  void beforeRead(Runnable action) {
    beforeRead = action;
  }

  List<String> reads() {
    return reads;
  }

  boolean merged() {
    return merged;
  }

  @Override
  public ObjectName resolve(String name) {
    return new ObjectName("lake", "s", name);
  }

  @Override
  public Table load(ObjectName name) {
    return table;
  }

  @Override
  public LayoutIndex layoutIndex() {
    return index;
  }

  @Override
  public List<FileFacts> files(Table of, long snapshotId) {
    List<FileFacts> files = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = of.newScan().useSnapshot(snapshotId).planFiles()) {
      for (FileScanTask task : tasks) {
        DataFile file = task.file();
        FileFacts facts = index.staged.get(file.location());
        files.add(
            facts != null
                ? facts
                : new FileFacts(
                    file.location(),
                    file.fileSizeInBytes(),
                    file.recordCount(),
                    0,
                    0,
                    Map.of(),
                    List.of(),
                    List.of()));
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return files;
  }

  @Override
  public BatchStream read(
      Table of, long snapshotId, List<FileFacts> files, List<ColumnOrder> mergeOrdering) {
    beforeRead.run();
    beforeRead = () -> {};
    merged |= !mergeOrdering.isEmpty();
    List<long[]> rows = new ArrayList<>();
    for (FileFacts file : files) {
      reads.add(file.path());
      rows.addAll(FileReader.read(of, file.path()));
    }
    if (!mergeOrdering.isEmpty()) {
      rows.sort(Comparator.comparingLong(row -> row[0]));
    }
    return stream(rows);
  }

  @Override
  public BatchStream rows(Table of, long snapshotId, FileFacts file, List<Integer> columns) {
    throw new AssertionError("compaction reads rows with their deletes applied");
  }

  private static BatchStream stream(List<long[]> rows) {
    return new BatchStream() {
      private int at;

      @Override
      public Schema schema() {
        return InsertTest.SCHEMA;
      }

      @Override
      public @Nullable Batch next() {
        int count = Math.min(4096, rows.size() - at);
        if (count == 0) {
          return null;
        }
        long[] keys = new long[count];
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
          keys[i] = rows.get(at + i)[0];
          values[i] = rows.get(at + i)[1];
        }
        at += count;
        return InsertTest.batch(keys, values);
      }

      @Override
      public void close() {}
    };
  }
}
