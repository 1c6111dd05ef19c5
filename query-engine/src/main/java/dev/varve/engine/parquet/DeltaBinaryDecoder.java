package dev.varve.engine.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * DELTA_BINARY_PACKED: differences to the value before, packed in miniblocks above the least of
 * their block. Arithmetic wraps, as the format wants. The buffer must be readable for {@link
 * RleDecoder#SLACK} bytes past its end.
 */
final class DeltaBinaryDecoder extends PageDecoder {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Far above what writers use; it bounds the memory that a wrong header can ask for. */
  private static final int MAX_BLOCK = 1 << 20;

  private final byte[] buffer;
  private final int end;
  private final int miniblocks;
  private final int perMiniblock;
  private final long total;
  private int position;

  /** Values not yet given, the first one included. */
  private long left;

  private boolean firstGiven;
  private long last;
  private long minDelta;
  private int widthsAt;

  /** The next miniblock of the current block. */
  private int miniblock;

  private final long[] values;
  private int valueAt;
  private int valueCount;

  DeltaBinaryDecoder(byte[] buffer, int start, int end) {
    super("DELTA_BINARY_PACKED");
    this.buffer = buffer;
    this.position = start;
    this.end = end;
    long block = varint();
    long blocks = varint();
    this.total = varint();
    this.last = zigzag();
    if (block <= 0
        || block > MAX_BLOCK
        || blocks <= 0
        || blocks > block
        || block % blocks != 0
        || (block / blocks) % 8 != 0
        || total < 0) {
      throw new CorruptPageException(
          "a delta page has " + total + " values in blocks of " + block + " by " + blocks);
    }
    this.miniblocks = (int) blocks;
    this.perMiniblock = (int) (block / blocks);
    this.miniblock = miniblocks;
    this.left = total;
    this.values = new long[perMiniblock];
  }

  long total() {
    return total;
  }

  /** Where the encoded data ends; passes over what is left. */
  int endPosition() {
    while (left > 0) {
      skip((int) Math.min(left, 1 << 20));
    }
    return position;
  }

  @Override
  void longs(long[] target, int at, int count) {
    int done = first(count);
    if (done == 1) {
      target[at] = last;
    }
    while (done < count) {
      int n = available(count - done);
      long sum = last;
      for (int i = 0; i < n; i++) {
        sum += values[valueAt + i];
        target[at + done + i] = sum;
      }
      last = sum;
      valueAt += n;
      done += n;
    }
    left -= count;
  }

  @Override
  void ints(int[] target, int at, int count) {
    int done = first(count);
    if (done == 1) {
      target[at] = (int) last;
    }
    while (done < count) {
      int n = available(count - done);
      long sum = last;
      for (int i = 0; i < n; i++) {
        sum += values[valueAt + i];
        target[at + done + i] = (int) sum;
      }
      last = sum;
      valueAt += n;
      done += n;
    }
    left -= count;
  }

  @Override
  void skip(int count) {
    int done = first(count);
    while (done < count) {
      int n = available(count - done);
      for (int i = 0; i < n; i++) {
        last += values[valueAt + i];
      }
      valueAt += n;
      done += n;
    }
    left -= count;
  }

  /** 1 if the value of the header is the first of those wanted. */
  private int first(int count) {
    if (count > left) {
      throw new CorruptPageException(
          "a delta page has " + left + " more values where " + count + " are needed");
    }
    if (firstGiven || count == 0) {
      return 0;
    }
    firstGiven = true;
    return 1;
  }

  /** How many differences are decoded, up to {@code wanted}; decodes a miniblock if none is. */
  private int available(int wanted) {
    if (valueAt == valueCount) {
      nextMiniblock();
    }
    return Math.min(wanted, valueCount - valueAt);
  }

  private void nextMiniblock() {
    if (miniblock == miniblocks) {
      minDelta = zigzag();
      widthsAt = position;
      if (miniblocks > end - position) {
        throw tooFew(1, end - position);
      }
      position += miniblocks;
      miniblock = 0;
    }
    int width = buffer[widthsAt + miniblock] & 0xff;
    miniblock++;
    if (width > 64) {
      throw new CorruptPageException("a miniblock of " + width + " bits a value");
    }
    long bytes = (long) perMiniblock * width / 8;
    if (bytes > end - position) {
      // The last miniblock may lack the padding after its last value.
      int whole = width == 0 ? perMiniblock : (int) ((end - position) * 8L / width);
      if (whole == 0) {
        throw tooFew(1, end - position);
      }
      unpack(width, whole);
      valueCount = whole;
      position = end;
    } else {
      unpack(width, perMiniblock);
      valueCount = perMiniblock;
      position += (int) bytes;
    }
    valueAt = 0;
  }

  private void unpack(int width, int count) {
    if (width == 0) {
      java.util.Arrays.fill(values, 0, count, minDelta);
      return;
    }
    long mask = width == 64 ? -1L : (1L << width) - 1;
    long bit = 0;
    for (int i = 0; i < count; i++) {
      int at = position + (int) (bit >>> 3);
      int shift = (int) (bit & 7);
      long value = (long) LONGS.get(buffer, at) >>> shift;
      if (shift + width > 64) {
        value |= (long) buffer[at + 8] << (64 - shift);
      }
      values[i] = (value & mask) + minDelta;
      bit += width;
    }
  }

  private long varint() {
    long result = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (position >= end) {
        throw tooFew(1, 0);
      }
      int b = buffer[position++];
      result |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return result;
      }
    }
    throw new CorruptPageException("a number in a delta page has more than 10 bytes");
  }

  private long zigzag() {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }
}
