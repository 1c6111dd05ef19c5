package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.kernel.key.MergeKeys;
import dev.varve.engine.spill.SpillFile;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one key on the buffered side of a merge join, which may straddle batches. They are
 * read chunk by chunk, as often as the other side needs. Rows within one batch are not copied;
 * those of several are kept and reserved, and written to a file when there is no room. Confined to
 * one task.
 */
final class MergeGroup {
  /** Rows of a batch: [from, to); {@code firstIndex} is the number of the first in the group. */
  record Chunk(Batch batch, int from, int to, int firstIndex) {}

  private static final long SPILL_BATCH_BYTES = 256 << 10;

  private final Schema schema;
  private final OperatorMemory memory;
  private final OperatorSpill spill;
  private final boolean marks;
  private final List<Chunk> chunks = new ArrayList<>();
  private @Nullable SpillFile file;
  private @Nullable BatchStream reading;
  private @Nullable MergeKeys key;
  private byte[] matched = {};
  private boolean readerReserved;
  private int keyRow;
  private int rows;
  private int next;

  /** {@code marks}: whether rows that were matched are remembered. */
  MergeGroup(Schema schema, OperatorMemory memory, OperatorSpill spill, boolean marks) {
    this.schema = schema;
    this.memory = memory;
    this.spill = spill;
    this.marks = marks;
  }

  boolean isOpen() {
    return key != null;
  }

  MergeKeys key() {
    if (key == null) {
      throw new IllegalStateException("no group");
    }
    return key;
  }

  int keyRow() {
    return keyRow;
  }

  void begin(MergeKeys keys, int row) {
    key = keys;
    keyRow = row;
  }

  /** Adds rows of the group; what was added before is kept for good. */
  void add(Batch batch, int from, int to) {
    if (!chunks.isEmpty() || file != null) {
      keepLast();
    }
    chunks.add(new Chunk(batch, from, to, rows));
    rows += to - from;
  }

  /** All rows are there. */
  void complete() {
    if (file != null) {
      keepLast();
    }
    if (marks) {
      memory.grow(rows);
      matched = new byte[rows];
    }
  }

  private void keepLast() {
    if (chunks.isEmpty()) {
      return;
    }
    Chunk last = chunks.removeLast();
    Batch own = last.batch.slice(last.from, last.to - last.from);
    if (file == null) {
      long bytes = own.sizeInBytes();
      if (memory.tryGrow(bytes)) {
        chunks.add(new Chunk(own.compact(), 0, own.rowCount(), last.firstIndex));
        return;
      }
      if (!spill.enabled()) {
        memory.grow(bytes);
      }
      SpillFile created = spill.create(schema, SPILL_BATCH_BYTES);
      file = created;
      chunks.forEach(chunk -> spill.append(created, chunk.batch));
      chunks.clear();
      memory.resize(0);
    }
    spill.append(file, own);
  }

  /** Starts reading from the first row. */
  void rewind() {
    next = 0;
    closeReader();
    SpillFile written = file;
    if (written != null) {
      if (!readerReserved) {
        memory.grow(written.largestBatchBytes() + written.bufferBytes());
        readerReserved = true;
      }
      reading = spill.read(written);
    }
  }

  /** The next chunk; null after the last. */
  @Nullable Chunk nextChunk() {
    BatchStream stream = reading;
    if (stream != null) {
      Batch batch = stream.next();
      if (batch == null) {
        return null;
      }
      Chunk chunk = new Chunk(batch, 0, batch.rowCount(), next);
      next += batch.rowCount();
      return chunk;
    }
    return next < chunks.size() ? chunks.get(next++) : null;
  }

  /** Whether the rows are in one chunk: then a row of the other side sees all of them at once. */
  boolean isOneChunk() {
    return file == null && chunks.size() == 1;
  }

  void mark(int index) {
    matched[index] = 1;
  }

  boolean isMarked(int index) {
    return matched[index] != 0;
  }

  /** Forgets the group. */
  void clear() {
    closeReader();
    SpillFile written = file;
    if (written != null) {
      spill.delete(written);
      file = null;
    }
    chunks.clear();
    matched = new byte[0];
    key = null;
    rows = 0;
    readerReserved = false;
    memory.resize(0);
  }

  private void closeReader() {
    BatchStream stream = reading;
    if (stream != null) {
      stream.close();
      reading = null;
    }
  }
}
