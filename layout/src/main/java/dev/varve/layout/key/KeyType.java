package dev.varve.layout.key;

/**
 * The encodings of values. Integers, dates, times and timestamps share one (8 bytes), floats and
 * doubles one, decimals of every precision one: promotion of a column changes no stored key. The
 * Java type of a value is named beside each.
 */
public enum KeyType {
  /** {@link Boolean} */
  BOOLEAN,
  /**
   * {@link Long}: smallint, integer, bigint; date as days since 1970-01-01; time and timestamps as
   * microseconds.
   */
  INTEGRAL,
  /**
   * {@link Double}: float and double. -0.0 encodes as +0.0, every NaN as one NaN above all numbers.
   */
  FLOATING,
  /** {@link java.math.BigInteger}: the unscaled value; the scale is the column's. */
  DECIMAL,
  /** {@link String}, in UTF-8 byte order. */
  STRING,
  /** {@code byte[]}, unsigned. */
  BINARY,
  /** {@link java.util.UUID}, as 16 unsigned bytes. */
  UUID
}
