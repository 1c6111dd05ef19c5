package dev.varve.engine.parquet;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Scratch byte arrays of the scan, by powers of two, kept up to a budget. An array is never
 * published: whoever borrows one gives it back when nothing refers to it. Safe for concurrent use.
 */
public final class BufferPool {
  private static final int SMALLEST_BITS = 12;
  private static final int LARGEST_BITS = 30;

  private final long limitBytes;
  private final Deque<byte[]>[] free;
  private long freeBytes;

  @SuppressWarnings({"unchecked", "rawtypes"})
  public BufferPool(long limitBytes) {
    this.limitBytes = limitBytes;
    this.free = new Deque[LARGEST_BITS + 1];
    for (int i = 0; i < free.length; i++) {
      free[i] = new ArrayDeque<>();
    }
  }

  /** An array of at least {@code size} bytes with arbitrary content. */
  public byte[] borrow(int size) {
    int bits = Math.max(SMALLEST_BITS, 32 - Integer.numberOfLeadingZeros(Math.max(size, 1) - 1));
    if (bits > LARGEST_BITS) {
      return new byte[size];
    }
    synchronized (this) {
      byte[] kept = free[bits].poll();
      if (kept != null) {
        freeBytes -= kept.length;
        return kept;
      }
    }
    return new byte[1 << bits];
  }

  /** Takes back an array that came from {@link #borrow}. */
  public void giveBack(byte[] buffer) {
    if (Integer.bitCount(buffer.length) != 1) {
      return;
    }
    int bits = Integer.numberOfTrailingZeros(buffer.length);
    synchronized (this) {
      if (bits >= SMALLEST_BITS && freeBytes + buffer.length <= limitBytes) {
        freeBytes += buffer.length;
        free[bits].push(buffer);
      }
    }
  }

  public synchronized long freeBytes() {
    return freeBytes;
  }
}
