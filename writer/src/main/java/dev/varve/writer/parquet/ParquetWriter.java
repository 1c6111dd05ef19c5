package dev.varve.writer.parquet;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.port.WorkContext;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.key.KeyTruncation;
import dev.varve.writer.option.WriterOptions;
import dev.varve.writer.order.RowKeys;
import dev.varve.writer.order.RowOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.io.OutputFile;
import org.apache.parquet.format.SortingColumn;
import org.jspecify.annotations.Nullable;

/**
 * Writes a stream of batches to one or several Parquet files in a single pass.
 *
 * <pre>
 * write(batch) -> order check -> one lane per column, two batches each -> sealed chunks -> file
 * </pre>
 *
 * Chunks of a full row group are sealed by their lanes and copied into the file by the owner, in
 * order, while the lanes encode the next row group; at most one sealed row group waits. Where row
 * groups and files end depends on rows and encoded sizes alone, never on timing, unless memory is
 * refused: then the open row group is sealed early.
 *
 * <p>Confined to one task, which also does all input and output. Closing without {@link #finish}
 * abandons the files that are open; removing them is the caller's.
 */
public final class ParquetWriter implements AutoCloseable {
  /** Rows between two looks at the size of the open row group, for the sake of the file's size. */
  private static final int ROWS_BETWEEN_CHECKS = 131_072;

  /** Reserved for a batch that is about to be queued: itself, and what it adds to encoders. */
  private static final int BATCH_FACTOR = 2;

  private final WorkContext context;
  private final WriteTask task;
  private final WriterOptions options;
  private final MemoryReservation reservation;
  private final Compressors compressors;
  private final List<EncoderLane> lanes = new ArrayList<>();
  private final @Nullable RowOrder order;
  private final List<SortingColumn> sorting = new ArrayList<>();
  private final List<WrittenFile> written = new ArrayList<>();
  private long heldLimitBytes = Long.MAX_VALUE;

  private @Nullable OpenFile file;
  private long fileRows;
  private long openRows;
  private long rowsSinceCheck;
  private long totalRows;
  private @Nullable SealedRowGroup sealed;

  /** A row group whose chunks are sealed, or will be when their lanes get there. */
  private static final class SealedRowGroup {
    final OpenFile file;
    final long rows;
    boolean endsFile;
    int writtenColumns;

    SealedRowGroup(OpenFile file, long rows) {
      this.file = file;
      this.rows = rows;
    }
  }

  public ParquetWriter(WorkContext context, WriteTask task) {
    this.context = context;
    this.task = task;
    this.options = task.options();
    this.compressors = new Compressors(options.codec(), options.compressionLevel());
    for (ParquetColumn column : task.columns()) {
      lanes.add(
          new EncoderLane(
              context,
              "encode " + column.name(),
              new ColumnEncoder(column, options, compressors),
              task.parallel()));
    }
    task.ordering()
        .forEach(
            o ->
                sorting.add(
                    new SortingColumn(
                        o.column(), o.options().descending(), o.options().nullsFirst())));
    this.order =
        task.ordering().isEmpty()
            ? null
            : new RowOrder(task.ordering(), new RowKeys(task.ordering(), task.schema()));
    this.reservation = context.reserve("parquet writer", true);
  }

  /**
   * Seals the open row group once encoders and sealed chunks hold that much, even if more memory
   * would be granted: it leaves memory to those that cannot do with less.
   */
  public void limitHeldBytes(long bytes) {
    heldLimitBytes = bytes;
  }

  public long rows() {
    return totalRows;
  }

  /**
   * Adds rows.
   *
   * @throws VarveException NOT_NULL_VIOLATION, ORDER_VIOLATED, DISK_FULL, IO_ERROR or
   *     MEMORY_LIMIT_EXCEEDED
   */
  public void write(Batch batch) {
    context.checkCanceled();
    checkNulls(batch);
    int from = 0;
    while (from < batch.rowCount()) {
      int count = (int) Math.min(batch.rowCount() - from, options.rowGroupRows() - openRows);
      append(batch.slice(from, count));
      from += count;
      if (openRows == options.rowGroupRows()) {
        endFullRowGroup();
      } else {
        checkSize();
      }
    }
    writeReadyChunks();
  }

  private void checkNulls(Batch batch) {
    for (int i = 0; i < task.columns().size(); i++) {
      ParquetColumn column = task.columns().get(i);
      if (column.required() && batch.column(i).nullCount() > 0) {
        throw new VarveException(
            ErrorCode.NOT_NULL_VIOLATION,
            "column '" + column.name() + "' is NOT NULL, but a row has no value for it");
      }
    }
  }

  private void append(Batch rows) {
    OpenFile current = file == null ? openFile() : file;
    checkOrder(rows, current);
    reserve(rows);
    // Making room may have ended the row group, but never the file.
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).append(rows.column(i));
    }
    openRows += rows.rowCount();
    fileRows += rows.rowCount();
    rowsSinceCheck += rows.rowCount();
    totalRows += rows.rowCount();
  }

  private OpenFile openFile() {
    OutputFile next = task.files().get();
    OpenFile opened = io(next.location(), () -> new OpenFile(next, task.columns(), options));
    file = opened;
    fileRows = 0;
    if (order != null) {
      if (task.refuseDisorder()) {
        order.startRange();
      } else {
        order.restart();
      }
    }
    return opened;
  }

  private void checkOrder(Batch rows, OpenFile current) {
    if (order == null || !current.isOrdered()) {
      return;
    }
    int violation = order.check(rows);
    if (violation < 0) {
      return;
    }
    if (task.refuseDisorder()) {
      throw new VarveException(
          ErrorCode.ORDER_VIOLATED,
          "row "
              + (totalRows + violation + 1)
              + " with the key "
              + order.describe(rows, violation)
              + " is smaller than the row before it, "
              + (violation == 0 ? order.describeLast() : order.describe(rows, violation - 1))
              + ": the order of the table cannot be recorded, so nothing is written");
    }
    current.setDisordered();
  }

  /** Makes room for what these rows will take, if need be by ending the row group early. */
  private void reserve(Batch rows) {
    long more = BATCH_FACTOR * rows.sizeInBytes();
    long held = heldBytes();
    if (held <= heldLimitBytes && reservation.tryResize(held + more)) {
      return;
    }
    writeSealedRowGroup();
    awaitIdle();
    held = heldBytes();
    if (held <= heldLimitBytes && reservation.tryResize(held + more)) {
      return;
    }
    if (openRows > 0) {
      context.count("row_groups_sealed_early", 1);
      sealRowGroup(false);
      writeSealedRowGroup();
      awaitIdle();
      held = heldBytes();
    }
    if (!reservation.tryResize(held + more)) {
      reservation.grow(held + more - reservation.size());
    }
  }

  private long heldBytes() {
    long held = 0;
    for (EncoderLane lane : lanes) {
      held += lane.heldBytes();
    }
    if (sealed != null) {
      held += sealed.file.heldBytes();
    }
    if (file != null && (sealed == null || sealed.file != file)) {
      held += file.heldBytes();
    }
    return held;
  }

  private void awaitIdle() {
    lanes.forEach(EncoderLane::awaitIdle);
  }

  private long estimatedBytes() {
    long bytes = 0;
    for (EncoderLane lane : lanes) {
      bytes += lane.estimatedBytes();
    }
    return bytes;
  }

  /** Ends a row group that has all its rows, and the file if another would be too much for it. */
  private void endFullRowGroup() {
    boolean endsFile = false;
    if (options.targetFileBytes() < Long.MAX_VALUE) {
      awaitIdle();
      writeSealedRowGroup();
      long rowGroup = estimatedBytes();
      endsFile = current().position() + rowGroup + rowGroup / 2 > options.targetFileBytes();
    }
    sealRowGroup(endsFile);
  }

  /** Ends the row group, or the file too, when enough has been encoded. */
  private void checkSize() {
    boolean limited = options.rowGroupBytes() < Long.MAX_VALUE;
    boolean targeted = options.targetFileBytes() < Long.MAX_VALUE;
    if (openRows == 0 || !limited && (!targeted || rowsSinceCheck < ROWS_BETWEEN_CHECKS)) {
      return;
    }
    rowsSinceCheck = 0;
    awaitIdle();
    writeSealedRowGroup();
    long rowGroup = estimatedBytes();
    boolean endsFile = current().position() + rowGroup >= options.targetFileBytes();
    if (endsFile || rowGroup >= options.rowGroupBytes()) {
      sealRowGroup(endsFile);
    }
  }

  private OpenFile current() {
    if (file == null) {
      throw new IllegalStateException("no file is open");
    }
    return file;
  }

  private void sealRowGroup(boolean endsFile) {
    writeSealedRowGroup();
    lanes.forEach(EncoderLane::seal);
    SealedRowGroup group = new SealedRowGroup(current(), openRows);
    sealed = group;
    openRows = 0;
    rowsSinceCheck = 0;
    if (endsFile) {
      endFile(group);
    }
    context.count("row_groups_written", 1);
  }

  /** No more rows come for the file of this row group: it is complete once that is written. */
  private void endFile(SealedRowGroup group) {
    recordRange(group.file);
    group.endsFile = true;
    file = null;
  }

  private void recordRange(OpenFile ended) {
    if (order != null && ended.isOrdered() && fileRows > 0) {
      ended.setRange(KeyTruncation.range(order.firstKey(), order.lastKey()));
    }
  }

  /** Copies the chunks that happen to be sealed into the file, without waiting for the others. */
  private void writeReadyChunks() {
    SealedRowGroup group = sealed;
    while (group != null && group == sealed) {
      EncodedChunk chunk = lanes.get(group.writtenColumns).pollSealed();
      if (chunk == null) {
        return;
      }
      writeChunk(group, chunk);
    }
  }

  /** Waits for the sealed row group, if there is one, and completes it in the file. */
  private void writeSealedRowGroup() {
    SealedRowGroup group = sealed;
    while (group != null && group == sealed) {
      writeChunk(group, lanes.get(group.writtenColumns).takeSealed());
    }
  }

  private void writeChunk(SealedRowGroup group, EncodedChunk chunk) {
    io(
        group.file.location(),
        () -> {
          group.file.writeChunk(chunk);
          return 0;
        });
    group.writtenColumns++;
    if (group.writtenColumns == lanes.size()) {
      group.file.endRowGroup(group.rows);
      sealed = null;
      if (group.endsFile) {
        complete(group.file);
      }
    }
  }

  private void complete(OpenFile done) {
    WrittenFile result = io(done.location(), () -> done.finish(sorting, task.metadata()));
    written.add(result);
  }

  /**
   * Completes all files.
   *
   * @param evenIfEmpty whether there is a file without rows if there are no rows
   */
  public List<WrittenFile> finish(boolean evenIfEmpty) {
    context.checkCanceled();
    if (file == null && written.isEmpty() && sealed == null && evenIfEmpty) {
      openFile();
    }
    if (openRows > 0) {
      sealRowGroup(true);
    }
    if (sealed != null && sealed.file == file) {
      endFile(sealed);
    }
    writeSealedRowGroup();
    if (file != null) {
      recordRange(file);
      complete(file);
      file = null;
    }
    return List.copyOf(written);
  }

  private interface Io<T> {
    T run() throws IOException;
  }

  private <T> T io(String location, Io<T> work) {
    try {
      return context.blocking(
          () -> {
            try {
              return work.run();
            } catch (IOException | RuntimeException e) {
              throw WriteFailure.of(e, location);
            }
          });
    } catch (VarveException | IllegalStateException e) {
      throw e;
    } catch (RuntimeException e) {
      throw WriteFailure.of(e, location);
    }
  }

  @Override
  public void close() {
    lanes.forEach(EncoderLane::close);
    compressors.close();
    if (sealed != null) {
      sealed.file.abandon();
    }
    if (file != null && (sealed == null || sealed.file != file)) {
      file.abandon();
    }
    sealed = null;
    file = null;
    reservation.close();
  }
}
