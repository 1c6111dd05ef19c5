package dev.varve.engine.kernel;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.LongColumn;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** 128-bit two's complement numbers as a signed high and an unsigned low half. */
public final class Int128 {
  private static final BigInteger[] POWERS = new BigInteger[77];
  private static final long[] LONG_POWERS = new long[19];
  private static final long[] POWER_HIGH = new long[39];
  private static final long[] POWER_LOW = new long[39];

  static {
    POWERS[0] = BigInteger.ONE;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1].multiply(BigInteger.TEN);
    }
    for (int i = 0; i < LONG_POWERS.length; i++) {
      LONG_POWERS[i] = POWERS[i].longValueExact();
    }
    for (int i = 0; i < POWER_HIGH.length; i++) {
      POWER_HIGH[i] = POWERS[i].shiftRight(64).longValueExact();
      POWER_LOW[i] = POWERS[i].longValue();
    }
  }

  private Int128() {}

  /** 10 to the power of 0 to 76. */
  public static BigInteger powerOfTen(int exponent) {
    return POWERS[exponent];
  }

  /** 10 to the power of 0 to 18. */
  public static long longPowerOfTen(int exponent) {
    return LONG_POWERS[exponent];
  }

  public static long high(BigInteger value) {
    return value.shiftRight(64).longValue();
  }

  public static long low(BigInteger value) {
    return value.longValue();
  }

  /** Whether the value is one of a long. */
  static boolean fitsLong(long high, long low) {
    return high == low >> 63;
  }

  /**
   * The values of a flat decimal column where its row {@code i} is at {@code offset() + i}, if all
   * of them, those under nulls too, are values of a long; null otherwise.
   */
  static long @Nullable [] longs(Column decimals) {
    if (decimals instanceof LongColumn narrow) {
      return narrow.values();
    }
    if (!(decimals instanceof Int128Column wide)) {
      throw new IllegalStateException("decimals of " + decimals.type());
    }
    long[] high = wide.high();
    long[] low = wide.low();
    long outside = 0;
    for (int i = wide.offset(); i < wide.offset() + wide.length(); i++) {
      outside |= high[i] ^ low[i] >> 63;
    }
    return outside == 0 ? low : null;
  }

  /** Whether the magnitude has at most {@code precision} decimal digits. */
  static boolean fits(long high, long low, int precision) {
    long h = high;
    long l = low;
    if (high < 0) {
      l = -low;
      h = ~high + (l == 0 ? 1 : 0);
      if (h < 0) {
        return false;
      }
    }
    long ph = POWER_HIGH[precision];
    return h < ph || (h == ph && Long.compareUnsigned(l, POWER_LOW[precision]) < 0);
  }

  /**
   * The values times a power of ten, for results that are known to fit; values under nulls may
   * wrap.
   */
  static Int128Column rescaledUp(Int128Column column, int digits) {
    if (digits == 0) {
      return column;
    }
    int n = column.length();
    long[] high = new long[n];
    long[] low = new long[n];
    System.arraycopy(column.high(), column.offset(), high, 0, n);
    System.arraycopy(column.low(), column.offset(), low, 0, n);
    for (int left = digits; left > 0; left -= 18) {
      long factor = LONG_POWERS[Math.min(left, 18)];
      for (int i = 0; i < n; i++) {
        long l = low[i];
        high[i] = high[i] * factor + Math.unsignedMultiplyHigh(l, factor);
        low[i] = l * factor;
      }
    }
    return new Int128Column(column.type(), high, low, Masks.copy(column));
  }
}
