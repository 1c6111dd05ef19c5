package dev.varve.engine.parquet;

import dev.varve.engine.memory.MemoryReservation;
import org.jspecify.annotations.Nullable;

/**
 * The scratch arrays of one stream: borrowed from the pool of all scans, and reserved with the
 * query's memory while they are. Confined to one task; whoever made the reservation closes it.
 */
public final class ScanBuffers {
  /** Reading ahead is left alone where less than so many times its need is free. */
  private static final int HEADROOM = 4;

  private final BufferPool pool;
  private final MemoryReservation memory;

  public ScanBuffers(BufferPool pool, MemoryReservation memory) {
    this.pool = pool;
    this.memory = memory;
  }

  /**
   * An array of at least {@code size} bytes with arbitrary content.
   *
   * @throws dev.varve.layout.error.VarveException MEMORY_LIMIT_EXCEEDED
   */
  byte[] borrow(int size) {
    int capacity = BufferPool.capacity(size);
    memory.grow(capacity);
    return take(capacity);
  }

  /** The same for what only saves time: null if memory is short. */
  byte @Nullable [] tryBorrow(int size) {
    int capacity = BufferPool.capacity(size);
    long wanted = (long) HEADROOM * capacity;
    if (!memory.tryGrow(wanted)) {
      return null;
    }
    memory.shrink(wanted - capacity);
    return take(capacity);
  }

  private byte[] take(int capacity) {
    try {
      return pool.borrow(capacity);
    } catch (OutOfMemoryError e) {
      memory.shrink(capacity);
      throw e;
    }
  }

  /** Takes back an array that was borrowed here. */
  void giveBack(byte[] buffer) {
    memory.shrink(buffer.length);
    pool.giveBack(buffer);
  }

  /** Bytes of a dictionary, for as long as its chunk is read. */
  void reserve(long bytes) {
    memory.grow(bytes);
  }

  void release(long bytes) {
    memory.shrink(bytes);
  }
}
