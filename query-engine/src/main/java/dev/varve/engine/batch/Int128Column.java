package dev.varve.engine.batch;

import dev.varve.engine.type.DataType;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** DECIMAL above 18 digits: unscaled two's complement values of 128 bits in two arrays. */
public final class Int128Column extends Column {
  private final long[] high;
  private final long[] low;

  public Int128Column(
      DataType type, long[] high, long[] low, int offset, int length, byte @Nullable [] validity) {
    super(type, offset, length, validity);
    this.high = high;
    this.low = low;
  }

  public Int128Column(DataType type, long[] high, long[] low, byte @Nullable [] validity) {
    this(type, high, low, 0, high.length, validity);
  }

  /** The signed upper halves; row 0 is at {@link #offset()}. Not to be written. */
  public long[] high() {
    return high;
  }

  /** The unsigned lower halves. Not to be written. */
  public long[] low() {
    return low;
  }

  public BigInteger get(int row) {
    return toBigInteger(high[offset + row], low[offset + row]);
  }

  public static BigInteger toBigInteger(long high, long low) {
    BigInteger lower = BigInteger.valueOf(low);
    if (low < 0) {
      lower = lower.add(BigInteger.ONE.shiftLeft(64));
    }
    return BigInteger.valueOf(high).shiftLeft(64).add(lower);
  }

  @Override
  public Int128Column slice(int from, int count) {
    checkSlice(from, count);
    return from == 0 && count == length
        ? this
        : new Int128Column(type(), high, low, offset + from, count, validity);
  }

  @Override
  public Int128Column take(int[] rows, int count) {
    long[] takenHigh = new long[count];
    long[] takenLow = new long[count];
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      if (row >= 0) {
        takenHigh[i] = high[offset + row];
        takenLow[i] = low[offset + row];
      }
    }
    return new Int128Column(
        type(), takenHigh, takenLow, 0, count, takenValidity(this, rows, count));
  }

  @Override
  public long sizeInBytes() {
    return (long) length * 16 + validityBytes();
  }

  @Override
  public Int128Column compact() {
    if (offset == 0 && length == high.length) {
      return this;
    }
    return new Int128Column(
        type(),
        Arrays.copyOfRange(high, offset, offset + length),
        Arrays.copyOfRange(low, offset, offset + length),
        0,
        length,
        compactValidity(this));
  }
}
