package dev.varve.engine.parquet;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Scratch byte arrays of the scan, kept up to a budget in classes of size: four to each power of
 * two, so that at most a fifth of an array is not asked for. An array is never published: whoever
 * borrows one gives it back when nothing refers to it. Safe for concurrent use.
 */
public final class BufferPool {
  private static final int SMALLEST_BITS = 12;
  private static final int LARGEST_BITS = 30;

  /** The logarithm of how many classes there are to each power of two. */
  private static final int STEP_BITS = 2;

  private final long limitBytes;
  private final Deque<byte[]>[] free;
  private long freeBytes;

  @SuppressWarnings({"unchecked", "rawtypes"})
  public BufferPool(long limitBytes) {
    this.limitBytes = limitBytes;
    this.free = new Deque[(LARGEST_BITS - SMALLEST_BITS << STEP_BITS) + 1];
    for (int i = 0; i < free.length; i++) {
      free[i] = new ArrayDeque<>();
    }
  }

  /** The length of the array that {@link #borrow} gives for {@code size}. */
  static int capacity(int size) {
    if (size <= 1 << SMALLEST_BITS) {
      return 1 << SMALLEST_BITS;
    }
    if (size > 1 << LARGEST_BITS) {
      return size;
    }
    int step = (31 - Integer.numberOfLeadingZeros(size - 1)) - STEP_BITS;
    return ((size - 1 >>> step) + 1) << step;
  }

  /** The class of arrays of {@code capacity}; -1 if such are not kept. */
  private static int index(int capacity) {
    int bits = 31 - Integer.numberOfLeadingZeros(capacity);
    if (capacity != capacity(capacity) || bits > LARGEST_BITS) {
      return -1;
    }
    int part = (capacity >>> (bits - STEP_BITS)) - (1 << STEP_BITS);
    int index = (bits - SMALLEST_BITS << STEP_BITS) + part;
    return capacity > 1 << LARGEST_BITS ? -1 : index;
  }

  /** An array of {@link #capacity} bytes with arbitrary content. */
  public byte[] borrow(int size) {
    int capacity = capacity(size);
    int index = index(capacity);
    if (index >= 0) {
      synchronized (this) {
        byte[] kept = free[index].poll();
        if (kept != null) {
          freeBytes -= kept.length;
          return kept;
        }
      }
    }
    return new byte[capacity];
  }

  /** Takes back an array that came from {@link #borrow}. */
  public void giveBack(byte[] buffer) {
    int index = index(buffer.length);
    if (index < 0) {
      return;
    }
    synchronized (this) {
      if (freeBytes + buffer.length <= limitBytes) {
        freeBytes += buffer.length;
        free[index].push(buffer);
      }
    }
  }

  public synchronized long freeBytes() {
    return freeBytes;
  }
}
