package dev.varve.engine.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The hybrid of run-length and bit-packed runs that holds levels, dictionary codes and booleans.
 * The buffer must be readable for {@link #SLACK} bytes past its end.
 */
final class RleDecoder {
  /** Bytes past the end of a page that may be read (and are thrown away) by wide loads. */
  static final int SLACK = 16;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] buffer;
  private final int end;
  private final int bitWidth;
  private final int mask;
  private int position;

  /** Values left in the current run. */
  private int left;

  private boolean repeated;
  private int value;

  /** The first bit of the next packed value, counted from {@link #packedStart}. */
  private long packedBit;

  private int packedStart;

  RleDecoder(byte[] buffer, int start, int end, int bitWidth) {
    if (bitWidth < 0 || bitWidth > 32) {
      throw new CorruptPageException("codes of " + bitWidth + " bits");
    }
    this.buffer = buffer;
    this.position = start;
    this.end = end;
    this.bitWidth = bitWidth;
    this.mask = bitWidth == 32 ? -1 : (1 << bitWidth) - 1;
  }

  void read(int[] target, int at, int count) {
    int done = 0;
    while (done < count) {
      nextRunIfEmpty();
      int n = Math.min(left, count - done);
      if (repeated) {
        Arrays.fill(target, at + done, at + done + n, value);
      } else {
        unpack(target, at + done, n);
      }
      left -= n;
      done += n;
    }
  }

  /** Reads values of one bit as bytes; answers how many are 1. */
  int readBits(byte[] target, int at, int count) {
    int ones = 0;
    int done = 0;
    while (done < count) {
      nextRunIfEmpty();
      int n = Math.min(left, count - done);
      if (repeated) {
        Arrays.fill(target, at + done, at + done + n, (byte) value);
        ones += n * value;
      } else {
        ones += unpackBits(target, at + done, n);
      }
      left -= n;
      done += n;
    }
    return ones;
  }

  /** Passes over {@code count} values if they are one run of {@code wanted}; else does nothing. */
  boolean passRun(int wanted, int count) {
    if (count > 0) {
      nextRunIfEmpty();
    }
    if (!repeated || value != wanted || left < count) {
      return false;
    }
    left -= count;
    return true;
  }

  /** Passes over values; for values of one bit, answers how many were 1. */
  int skip(int count) {
    int ones = 0;
    int done = 0;
    while (done < count) {
      nextRunIfEmpty();
      int n = Math.min(left, count - done);
      if (repeated) {
        ones += n * value;
      } else {
        if (bitWidth == 1) {
          for (long bit = packedBit; bit < packedBit + n; bit++) {
            ones += (buffer[packedStart + (int) (bit >>> 3)] >>> (bit & 7)) & 1;
          }
        }
        packedBit += (long) n * bitWidth;
      }
      left -= n;
      done += n;
    }
    return ones;
  }

  /**
   * As many values as fit are taken from each load of 8 bytes: what is left of them after the shift
   * to the first value's bit is at least 57 bits.
   */
  private void unpack(int[] target, int at, int count) {
    int width = bitWidth;
    long bit = packedBit;
    int i = 0;
    if (width <= 7) {
      for (; i + 8 <= count; i += 8) {
        long window = (long) LONGS.get(buffer, packedStart + (int) (bit >>> 3)) >>> (bit & 7);
        target[at + i] = (int) window & mask;
        target[at + i + 1] = (int) (window >>> width) & mask;
        target[at + i + 2] = (int) (window >>> 2 * width) & mask;
        target[at + i + 3] = (int) (window >>> 3 * width) & mask;
        target[at + i + 4] = (int) (window >>> 4 * width) & mask;
        target[at + i + 5] = (int) (window >>> 5 * width) & mask;
        target[at + i + 6] = (int) (window >>> 6 * width) & mask;
        target[at + i + 7] = (int) (window >>> 7 * width) & mask;
        bit += 8L * width;
      }
    } else if (width <= 14) {
      for (; i + 4 <= count; i += 4) {
        long window = (long) LONGS.get(buffer, packedStart + (int) (bit >>> 3)) >>> (bit & 7);
        target[at + i] = (int) window & mask;
        target[at + i + 1] = (int) (window >>> width) & mask;
        target[at + i + 2] = (int) (window >>> 2 * width) & mask;
        target[at + i + 3] = (int) (window >>> 3 * width) & mask;
        bit += 4L * width;
      }
    } else if (width <= 28) {
      for (; i + 2 <= count; i += 2) {
        long window = (long) LONGS.get(buffer, packedStart + (int) (bit >>> 3)) >>> (bit & 7);
        target[at + i] = (int) window & mask;
        target[at + i + 1] = (int) (window >>> width) & mask;
        bit += 2L * width;
      }
    }
    for (; i < count; i++) {
      long window = (long) LONGS.get(buffer, packedStart + (int) (bit >>> 3));
      target[at + i] = (int) (window >>> (bit & 7)) & mask;
      bit += width;
    }
    packedBit = bit;
  }

  private int unpackBits(byte[] target, int at, int count) {
    int ones = 0;
    long bit = packedBit;
    for (int i = 0; i < count; i++) {
      int one = (buffer[packedStart + (int) (bit >>> 3)] >>> (bit & 7)) & 1;
      target[at + i] = (byte) one;
      ones += one;
      bit++;
    }
    packedBit = bit;
    return ones;
  }

  private void nextRunIfEmpty() {
    while (left == 0) {
      if (bitWidth == 0 && position >= end) {
        // Codes of no bits need no bytes: a dictionary of one entry.
        repeated = true;
        value = 0;
        left = Integer.MAX_VALUE;
        return;
      }
      nextRun();
    }
  }

  private void nextRun() {
    long header = varint();
    if ((header & 1) == 0) {
      long length = header >>> 1;
      if (length > Integer.MAX_VALUE) {
        throw new CorruptPageException("a run of " + length + " values");
      }
      left = (int) length;
      repeated = true;
      int bytes = (bitWidth + 7) / 8;
      if (bytes > end - position) {
        throw new CorruptPageException("a run's value lies past the end of the page");
      }
      value = 0;
      for (int i = 0; i < bytes; i++) {
        value |= (buffer[position++] & 0xff) << (8 * i);
      }
      if ((value & ~mask) != 0) {
        throw new CorruptPageException("a run's value has more than " + bitWidth + " bits");
      }
      return;
    }
    long groups = header >>> 1;
    long bytes = groups * bitWidth;
    int available = end - position;
    repeated = false;
    packedStart = position;
    packedBit = 0;
    if (bytes > available) {
      // Some writers leave out the padding of the last group.
      left = bitWidth == 0 ? 0 : (int) (available * 8L / bitWidth);
      position = end;
      if (left == 0) {
        throw new CorruptPageException("a packed run lies past the end of the page");
      }
    } else {
      left = (int) Math.min(groups * 8, Integer.MAX_VALUE);
      position += (int) bytes;
    }
  }

  private long varint() {
    long result = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (position >= end) {
        throw new CorruptPageException("there are fewer values than the page's header says");
      }
      int b = buffer[position++];
      result |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return result;
      }
    }
    throw new CorruptPageException("the length of a run has more than 5 bytes");
  }
}
