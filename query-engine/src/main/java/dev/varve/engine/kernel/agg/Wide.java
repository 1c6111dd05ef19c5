package dev.varve.engine.kernel.agg;

import dev.varve.engine.batch.Int128Column;
import java.math.BigInteger;

/** Sums of 192 bits: 128 bits as a signed pair, and how often that pair overflowed upwards. */
final class Wide {
  private static final BigInteger LIMIT = BigInteger.TEN.pow(38);
  private static final long LIMIT_HIGH = LIMIT.shiftRight(64).longValueExact();
  private static final long LIMIT_LOW = LIMIT.longValue();

  private Wide() {}

  static BigInteger value(long overflow, long high, long low) {
    BigInteger value = Int128Column.toBigInteger(high, low);
    return overflow == 0 ? value : value.add(BigInteger.valueOf(overflow).shiftLeft(128));
  }

  static boolean fitsLong(long overflow, long high, long low) {
    return overflow == 0 && high == low >> 63;
  }

  /** Whether the value has at most 38 digits. */
  static boolean fitsDecimal(long overflow, long high, long low) {
    if (overflow != 0) {
      return false;
    }
    long absoluteHigh = high < 0 ? ~high + (low == 0 ? 1 : 0) : high;
    long absoluteLow = high < 0 ? -low : low;
    return absoluteHigh >= 0
        && (absoluteHigh < LIMIT_HIGH
            || (absoluteHigh == LIMIT_HIGH && Long.compareUnsigned(absoluteLow, LIMIT_LOW) < 0));
  }
}
