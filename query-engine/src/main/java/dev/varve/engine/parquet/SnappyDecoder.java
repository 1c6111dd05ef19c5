package dev.varve.engine.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Snappy's raw format, decoded between arrays. Every access is checked by the runtime, every length
 * and offset by the code: damaged data gives a {@link CorruptPageException} and touches nothing
 * outside the target.
 *
 * <p>Columns of numbers are long rows of short literals, each followed by a short copy. So a
 * literal and the tag behind it are taken from one load, moves are of 8 bytes whatever their
 * length, and only what lies near an end is decoded byte by byte.
 */
final class SnappyDecoder {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** What one step of the fast loop may read: a literal of 16 and a copy's 5 bytes, as longs. */
  private static final int INPUT_MARGIN = 32;

  /** What one step of the fast loop may write: a literal of 16 and a copy of 64, rounded up. */
  private static final int OUTPUT_MARGIN = 96;

  /** For offsets below 8: the least multiple that moves of 8 bytes can use. */
  private static final int[] FAR_ENOUGH = {0, 8, 8, 9, 8, 10, 12, 14};

  private final byte[] in;
  private final int inEnd;
  private final byte[] out;
  private final int outStart;
  private final int outEnd;
  private int ip;
  private int op;

  private SnappyDecoder(byte[] in, int from, int inEnd, byte[] out, int at, int outEnd) {
    this.in = in;
    this.ip = from;
    this.inEnd = inEnd;
    this.out = out;
    this.op = at;
    this.outStart = at;
    this.outEnd = outEnd;
  }

  /**
   * Fills {@code out[at .. at + targetLength)} from {@code in[from .. from + length)} and answers
   * how many bytes that are.
   *
   * @throws CorruptPageException if that is not what the data holds, exactly
   */
  static int decompress(byte[] in, int from, int length, byte[] out, int at, int targetLength) {
    SnappyDecoder decoder = new SnappyDecoder(in, from, from + length, out, at, at + targetLength);
    decoder.length(targetLength);
    while (decoder.ip < decoder.inEnd) {
      decoder.fast();
      if (decoder.ip < decoder.inEnd) {
        decoder.step();
      }
    }
    if (decoder.op != decoder.outEnd) {
      throw corrupt("its data end after " + (decoder.op - at) + " of " + targetLength + " bytes");
    }
    return targetLength;
  }

  /** The length that precedes the data. */
  private void length(int expected) {
    long declared = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int b = in[take(1)];
      declared |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        if (declared != expected) {
          throw corrupt("it holds " + declared + " bytes, but its header says " + expected);
        }
        return;
      }
    }
    throw corrupt("its length has more than 5 bytes");
  }

  /** Elements that lie well inside both arrays, until one is reached that does not. */
  private void fast() {
    byte[] source = in;
    byte[] target = out;
    int first = outStart;
    int inLimit = inEnd - INPUT_MARGIN;
    int outLimit = outEnd - OUTPUT_MARGIN;
    int i = ip;
    int o = op;
    while (i < inLimit && o < outLimit) {
      long window = (long) LONGS.get(source, i);
      int tag = (int) window;
      if ((tag & 3) == 0) {
        int length = ((tag & 0xff) >>> 2) + 1;
        if (length > 16) {
          break;
        }
        if (length > 7) {
          LONGS.set(target, o, (long) LONGS.get(source, i + 1));
          LONGS.set(target, o + 8, (long) LONGS.get(source, i + 9));
          i += length + 1;
          o += length;
          continue;
        }
        LONGS.set(target, o, window >>> 8);
        i += length + 1;
        o += length;
        window = length <= 4 ? window >>> (8 * length + 8) : (long) LONGS.get(source, i);
        tag = (int) window;
        if ((tag & 3) == 0) {
          continue;
        }
      }
      int kind = tag & 3;
      if (kind == 3) {
        break;
      }
      // Which of the two kinds it is cannot be foretold: both without a branch.
      int near = -(kind & 1);
      int length = ((tag >>> 2) & (0x3f ^ (near & 0x38))) + 1 - 3 * near;
      int offset = ((tag >>> 8) & ((1 << (kind << 3)) - 1)) + ((tag & 0xe0 & near) << 3);
      i += kind + 1;
      if (offset == 0 || offset > o - first) {
        throw offset(offset, o - first);
      }
      if (offset >= 8) {
        LONGS.set(target, o, (long) LONGS.get(target, o - offset));
        LONGS.set(target, o + 8, (long) LONGS.get(target, o - offset + 8));
        for (int done = 16; done < length; done += 8) {
          LONGS.set(target, o + done, (long) LONGS.get(target, o - offset + done));
        }
      } else {
        repeat(target, o, offset, length);
      }
      o += length;
    }
    ip = i;
    op = o;
  }

  /** A copy from so near that it reads what it writes; may write 7 bytes more. */
  private static void repeat(byte[] target, int at, int offset, int length) {
    int far = FAR_ENOUGH[offset];
    int single = Math.min(length, far - offset);
    for (int i = at; i < at + single; i++) {
      target[i] = target[i - offset];
    }
    for (int done = single; done < length; done += 8) {
      LONGS.set(target, at + done, (long) LONGS.get(target, at + done - far));
    }
  }

  /** One element of any length anywhere. */
  private void step() {
    int tag = in[take(1)] & 0xff;
    int length = (tag >>> 2) + 1;
    switch (tag & 3) {
      case 0 -> {
        if (length > 60) {
          length = number(length - 60) + 1;
        }
        if (length <= 0 || length > outEnd - op) {
          throw corrupt("a literal of " + Integer.toUnsignedString(length) + " bytes is too long");
        }
        System.arraycopy(in, take(length), out, op, length);
        op += length;
      }
      case 1 -> copy((tag >>> 5) << 8 | number(1), ((tag >>> 2) & 7) + 4);
      case 2 -> copy(number(2), length);
      default -> copy(number(4), length);
    }
  }

  private void copy(int offset, int length) {
    if (offset <= 0 || offset > op - outStart) {
      throw offset(offset, op - outStart);
    }
    if (length > outEnd - op) {
      throw corrupt("a copy of " + length + " bytes is too long");
    }
    for (int end = op + length; op < end; op++) {
      out[op] = out[op - offset];
    }
  }

  /** A little-endian number of up to 4 bytes. */
  private int number(int bytes) {
    int at = take(bytes);
    int value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (in[at + i] & 0xff) << (8 * i);
    }
    return value;
  }

  /** Passes over {@code bytes} of the input and answers where they are. */
  private int take(int bytes) {
    if (bytes > inEnd - ip) {
      throw corrupt("its data end within an element");
    }
    int at = ip;
    ip += bytes;
    return at;
  }

  private static CorruptPageException offset(int offset, int produced) {
    return corrupt(
        "a copy from "
            + Integer.toUnsignedString(offset)
            + " bytes back, where there are "
            + produced);
  }

  private static CorruptPageException corrupt(String what) {
    return new CorruptPageException("a page is no SNAPPY data: " + what);
  }
}
