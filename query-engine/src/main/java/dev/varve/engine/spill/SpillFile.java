package dev.varve.engine.spill;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.FlatSizes;
import dev.varve.engine.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches on disk, as an Arrow IPC stream. One task at a time appends; any number may read, each
 * through a stream of its own, what has been flushed. Closing removes the file, also under its
 * readers.
 */
public final class SpillFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SpillFile.class);

  private final SpillScope scope;
  private final String consumer;
  private final long batchBytes;
  private final Path path;
  private final SpillStorage.Handle handle;
  private final ArrowFormat format;
  private @Nullable SpillOutput output;
  private long sizeInBytes;
  private long rows;
  private long largestBatchBytes;
  private int rowsOfLargestBatch;
  private int largestBatchRows;
  private volatile boolean closed;

  /** Batches that were appended together. */
  public record Segment(long start, long end, long rows) {}

  SpillFile(
      SpillScope scope,
      String consumer,
      Schema schema,
      long batchBytes,
      Path path,
      SpillStorage.Handle handle) {
    this.scope = scope;
    this.consumer = consumer;
    this.batchBytes = batchBytes;
    this.path = path;
    this.handle = handle;
    this.format = new ArrowFormat(schema);
    this.output = new SpillOutput(handle, SpillOutput.bufferFor(batchBytes));
  }

  public Schema schema() {
    return format.schema();
  }

  /** Writes the rows of a batch, which can be read once they are flushed. */
  public Segment append(Batch batch) {
    SpillOutput to = output;
    if (closed || to == null) {
      throw new IllegalStateException(consumer + " writes to a spill file that is closed");
    }
    try {
      if (sizeInBytes == 0) {
        byte[] start = format.start();
        grow(start.length);
        to.put(start);
      }
      long before = sizeInBytes;
      int from = 0;
      while (from < batch.rowCount()) {
        int count = FlatSizes.rowsWithin(batch, from, batchBytes);
        appendFlat(FlatSizes.flat(batch, from, count), to);
        from += count;
      }
      return new Segment(before, sizeInBytes, batch.rowCount());
    } catch (IOException e) {
      throw SpillFailures.of(consumer, "write its spill file", e);
    }
  }

  private void appendFlat(Batch flat, SpillOutput to) throws IOException {
    ArrowFormat.Layout layout = format.layout(flat);
    grow(layout.totalBytes());
    format.write(flat, layout, to);
    if (to.total() != sizeInBytes) {
      throw new IllegalStateException(to.total() + " bytes written, not " + sizeInBytes);
    }
    rows += flat.rowCount();
    largestBatchRows = Math.max(largestBatchRows, flat.rowCount());
    if (flat.sizeInBytes() > largestBatchBytes) {
      largestBatchBytes = flat.sizeInBytes();
      rowsOfLargestBatch = flat.rowCount();
    }
  }

  private void grow(long bytes) {
    scope.grow(consumer, bytes);
    sizeInBytes += bytes;
  }

  /** Makes what has been appended readable. */
  public void flush() {
    SpillOutput to = output;
    if (to == null) {
      return;
    }
    try {
      to.flush();
    } catch (IOException e) {
      throw SpillFailures.of(consumer, "write its spill file", e);
    }
  }

  /** {@link #flush}, after the last batch: the file is complete and its buffer goes. */
  public void seal() {
    flush();
    output = null;
  }

  /** All that has been appended, from the first batch on. Called by the task that appends. */
  public BatchStream read() {
    flush();
    return read(new Segment(0, sizeInBytes, rows));
  }

  /** What one call of {@link #append} wrote, after a {@link #flush}. */
  public BatchStream read(Segment segment) {
    return new SpillReader(
        consumer, format, new SpillInput(handle, segment, SpillOutput.bufferFor(batchBytes)));
  }

  public long rows() {
    return rows;
  }

  /** Bytes on disk. */
  public long sizeInBytes() {
    return sizeInBytes;
  }

  /** What the largest batch takes in memory when it is read. */
  public long largestBatchBytes() {
    return largestBatchBytes;
  }

  /** Rows of the batch that takes most memory; it cannot be cut if that is one. */
  public int rowsOfLargestBatch() {
    return rowsOfLargestBatch;
  }

  /** Rows of the batch that has most. */
  public int largestBatchRows() {
    return largestBatchRows;
  }

  /**
   * Memory that a reader needs beside the batches it hands out, and the writer as long as it is.
   */
  public long bufferBytes() {
    return SpillOutput.bufferFor(batchBytes);
  }

  /** Removes the file. Harmless when repeated; never throws. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      handle.close();
    } catch (IOException e) {
      LOG.warn("cannot close spill file {}", path, e);
    }
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.warn("cannot remove spill file {}", path, e);
    }
    scope.removed(this, sizeInBytes);
  }
}
