package dev.varve.engine.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** PLAIN: little-endian values, one bit a boolean, byte arrays after their length. */
final class PlainDecoder extends PageDecoder {
  /** What stands for a width where each value has a length of its own. */
  static final int VARIABLE = -1;

  /** What stands for a width where a value is one bit. */
  static final int BITS = 0;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Values up to this are moved by 8 bytes at a time. */
  private static final int SHORT_BYTES = 64;

  private final byte[] buffer;
  private final int end;
  private final int width;
  private int position;

  /** For booleans: the next bit, counted from {@link #position}. */
  private long bit;

  PlainDecoder(byte[] buffer, int start, int end, int width) {
    super("PLAIN");
    this.buffer = buffer;
    this.position = start;
    this.end = end;
    this.width = width;
  }

  @Override
  void ints(int[] target, int at, int count) {
    take(count, 4);
    little().asIntBuffer().get(target, at, count);
    position += count * 4;
  }

  @Override
  void longs(long[] target, int at, int count) {
    take(count, 8);
    little().asLongBuffer().get(target, at, count);
    position += count * 8;
  }

  @Override
  void floats(float[] target, int at, int count) {
    take(count, 4);
    little().asFloatBuffer().get(target, at, count);
    position += count * 4;
  }

  @Override
  void doubles(double[] target, int at, int count) {
    take(count, 8);
    little().asDoubleBuffer().get(target, at, count);
    position += count * 8;
  }

  @Override
  void booleans(byte[] target, int at, int count) {
    takeBits(count);
    for (int i = 0; i < count; i++) {
      target[at + i] = (byte) ((buffer[position + (int) (bit >>> 3)] >>> (bit & 7)) & 1);
      bit++;
    }
  }

  @Override
  void bytes(BytesSink sink, int at, int count) {
    if (width == VARIABLE) {
      variable(sink, at, count);
    } else {
      fixed(sink, at, count);
    }
  }

  private void fixed(BytesSink sink, int at, int count) {
    take(count, width);
    int used = sink.offsets[at];
    int length = count * width;
    sink.ensure(used, length);
    System.arraycopy(buffer, position, sink.data, used, length);
    for (int i = 1; i <= count; i++) {
      sink.offsets[at + i] = used + i * width;
    }
    position += length;
  }

  /** First the lengths, which are checked and added up, then the copies. */
  private void variable(BytesSink sink, int at, int count) {
    int start = position;
    int used = sink.offsets[at];
    int scan = start;
    long total = 0;
    for (int i = 0; i < count; i++) {
      int length = lengthAt(scan, count - i);
      total += length;
      scan += 4 + length;
    }
    sink.ensure(used, total);
    byte[] data = sink.data;
    int[] offsets = sink.offsets;
    int read = start;
    // Moves of 8 bytes may write past a value, where the next one follows; they may not read past
    // the buffer nor write past the data.
    int wideReads = buffer.length - SHORT_BYTES - 4;
    int wideWrites = data.length - SHORT_BYTES;
    for (int i = 0; i < count; i++) {
      int length = intAt(read);
      if (length <= SHORT_BYTES && read <= wideReads && used <= wideWrites) {
        for (int done = 0; done < length; done += 8) {
          LONGS.set(data, used + done, (long) LONGS.get(buffer, read + 4 + done));
        }
      } else {
        System.arraycopy(buffer, read + 4, data, used, length);
      }
      used += length;
      offsets[at + i + 1] = used;
      read += 4 + length;
    }
    position = read;
  }

  @Override
  void skip(int count) {
    if (width == BITS) {
      takeBits(count);
      bit += count;
    } else if (width == VARIABLE) {
      for (int i = 0; i < count; i++) {
        position += 4 + lengthAt(position, count - i);
      }
    } else {
      take(count, width);
      position += count * width;
    }
  }

  private int lengthAt(int at, int wanted) {
    if (end - at < 4) {
      throw tooFew(wanted, end - at);
    }
    int length = intAt(at);
    if (length < 0 || length > end - at - 4) {
      throw new CorruptPageException(
          "a value should have "
              + Integer.toUnsignedString(length)
              + " bytes, but the page has "
              + (end - at - 4));
    }
    return length;
  }

  private int intAt(int at) {
    return (int) INTS.get(buffer, at);
  }

  private void take(int count, int bytes) {
    if (bytes != width) {
      throw wrongType(bytes + " byte");
    }
    if ((long) count * bytes > end - position) {
      throw tooFew(count, end - position);
    }
  }

  private void takeBits(int count) {
    if (width != BITS) {
      throw wrongType("boolean");
    }
    if (bit + count > (end - position) * 8L) {
      throw tooFew(count, end - position - (bit >>> 3));
    }
  }

  private ByteBuffer little() {
    return ByteBuffer.wrap(buffer, position, end - position).order(ByteOrder.LITTLE_ENDIAN);
  }
}
