package dev.varve.engine.scan;

import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.layout.FileFacts;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DeleteFile;

/** The deletes of a scan, as one task applies them to its files. Confined to that task. */
final class TaskDeletes {
  private final ScanDeletes deletes;
  private final DeleteFileReader reader;
  private final MemoryReservation memory;
  private final MetricSet metrics;
  private final TaskContext context;

  /**
   * @param memory for the rows of the file that is read
   */
  TaskDeletes(
      ScanDeletes deletes,
      DeleteFileReader reader,
      MemoryReservation memory,
      MetricSet metrics,
      TaskContext context) {
    this.deletes = deletes;
    this.reader = reader;
    this.memory = memory;
    this.metrics = metrics;
    this.context = context;
  }

  /** The rows of a file that are deleted by position; the caller gives them back. */
  Optional<DeletedRows> rows(FileFacts file, long rows) {
    List<DeleteFile> files = deletes.of(file).positions();
    if (files.isEmpty()) {
      return Optional.empty();
    }
    memory.grow(DeletedRows.bytes(rows));
    DeletedRows deleted = new DeletedRows(rows);
    for (DeleteFile delete : files) {
      if (DeleteFileReader.isVector(delete)) {
        reader.readVector(delete, deleted::delete);
      } else if (ScanDeletes.isShared(delete)) {
        deletes.positions(delete, reader, context).forEach(file.path(), deleted::delete);
      } else {
        reader.readPositions(
            delete,
            (path, position) -> {
              if (path.equals(file.path())) {
                deleted.delete(position);
              }
            });
      }
    }
    return Optional.of(deleted);
  }

  void giveBack(DeletedRows rows) {
    memory.shrink(rows.sizeInBytes());
  }

  /** The equality deletes of a file, one for each set of columns. */
  List<EqualityDeletes> equality(FileFacts file) {
    return deletes.equality(file, reader, context);
  }

  /** What keeps the rows out that some of these delete. */
  RowFilter filter(EqualityDeletes equality, int[] columns, FileFacts file) {
    return new EqualityDeleteFilter(
        columns, equality.lookup(deletes.of(file).sequenceNumber()), metrics);
  }
}
