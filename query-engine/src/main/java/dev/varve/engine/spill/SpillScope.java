package dev.varve.engine.spill;

import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One query's spill files. Closing it removes those that are left: the way out of failures; on all
 * others operators close their own. Safe for concurrent use.
 */
public final class SpillScope implements AutoCloseable {
  private final SpillSpace space;
  private final String queryId;
  private final long limit;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong written = new AtomicLong();
  private final Set<SpillFile> files = new LinkedHashSet<>();
  private boolean closed;

  SpillScope(SpillSpace space, String queryId, long limit) {
    this.space = space;
    this.queryId = queryId;
    this.limit = limit;
  }

  /** Whether there is a place for files at all. */
  public boolean enabled() {
    return space.exists();
  }

  /**
   * A new file for batches of this schema. A batch read back takes about {@code batchBytes} of
   * memory or less, unless a single row takes more: larger ones are cut.
   *
   * @param consumer who spills, for messages
   */
  public SpillFile create(String consumer, Schema schema, long batchBytes) {
    synchronized (files) {
      if (closed) {
        throw new IllegalStateException(consumer + " spills after its query has ended");
      }
      SpillFile file = open(consumer, schema, batchBytes);
      files.add(file);
      return file;
    }
  }

  private SpillFile open(String consumer, Schema schema, long batchBytes) {
    try {
      Path path = space.newFile(queryId);
      return new SpillFile(this, consumer, schema, batchBytes, path, space.storage().create(path));
    } catch (IOException e) {
      throw SpillFailures.of(consumer, "make a spill file", e);
    }
  }

  /** Takes room before bytes are written. */
  void grow(String consumer, long bytes) {
    if (used.addAndGet(bytes) > limit) {
      used.addAndGet(-bytes);
      throw refused(consumer, bytes, used.get(), limit, "spill.query_limit");
    }
    if (!space.tryGrow(bytes)) {
      used.addAndGet(-bytes);
      throw refused(
          consumer, bytes, space.usedBytes(), space.limitBytes(), "the limit of the spill folder");
    }
    written.addAndGet(bytes);
  }

  private static VarveException refused(
      String consumer, long bytes, long used, long limit, String what) {
    return new VarveException(
        ErrorCode.SPILL_LIMIT_EXCEEDED,
        consumer
            + " needs "
            + bytes
            + " bytes more for spill files, but "
            + used
            + " of the limit of "
            + limit
            + " bytes are taken",
        null,
        "raise " + what + ", or give the query more memory",
        null);
  }

  void removed(SpillFile file, long bytes) {
    synchronized (files) {
      files.remove(file);
    }
    used.addAndGet(-bytes);
    space.shrink(bytes);
  }

  /** Bytes in files now. */
  public long usedBytes() {
    return used.get();
  }

  /** Bytes ever written. */
  public long writtenBytes() {
    return written.get();
  }

  /** Files that are not closed: 0 once all operators have ended. */
  public int openFiles() {
    synchronized (files) {
      return files.size();
    }
  }

  @Override
  public void close() {
    List<SpillFile> left;
    synchronized (files) {
      closed = true;
      left = new ArrayList<>(files);
    }
    left.forEach(SpillFile::close);
  }
}
