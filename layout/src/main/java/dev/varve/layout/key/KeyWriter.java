package dev.varve.layout.key;

import dev.varve.layout.NullOrder;
import dev.varve.layout.SortDirection;
import dev.varve.layout.key.KeyEncoding.Part;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A reusable buffer in which one composite key is encoded, part after part, without allocating. The
 * layout is that of {@link KeyEncoding}. Confined to one thread; compare a row with the one before
 * it by keeping two writers and swapping them.
 */
public final class KeyWriter {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] buffer;
  private int length;

  public KeyWriter() {
    this(64);
  }

  public KeyWriter(int capacity) {
    this.buffer = new byte[Math.max(capacity, 16)];
  }

  /** Forgets the key; the buffer stays. */
  public KeyWriter reset() {
    length = 0;
    return this;
  }

  public int length() {
    return length;
  }

  /** The bytes allocated, for those who account for memory. */
  public int capacity() {
    return buffer.length;
  }

  /**
   * The backing array; only its first {@link #length} bytes count, and only until the next call.
   */
  public byte[] array() {
    return buffer;
  }

  public KeyWriter appendNull(Part part) {
    reserve(1);
    buffer[length++] =
        part.nullOrder() == NullOrder.NULLS_FIRST ? KeyEncoding.NULL_FIRST : KeyEncoding.NULL_LAST;
    return this;
  }

  public KeyWriter appendBoolean(Part part, boolean value) {
    require(part, KeyType.BOOLEAN);
    reserve(2);
    buffer[length++] = KeyEncoding.VALUE;
    buffer[length++] = (byte) ((value ? 1 : 0) ^ mask(part));
    return this;
  }

  /** {@link KeyType#INTEGRAL}: an integer, days of a date, microseconds of a time or timestamp. */
  public KeyWriter appendLong(Part part, long value) {
    require(part, KeyType.INTEGRAL);
    word(part, value ^ Long.MIN_VALUE);
    return this;
  }

  public KeyWriter appendDouble(Part part, double value) {
    require(part, KeyType.FLOATING);
    word(part, KeyEncoding.doubleBits(value));
    return this;
  }

  /** A decimal whose unscaled value fits a long. */
  public KeyWriter appendDecimal(Part part, long unscaled) {
    return appendDecimal(part, unscaled >> 63, unscaled);
  }

  /** A decimal by its unscaled value in two's complement: the upper and the lower 64 bits. */
  public KeyWriter appendDecimal(Part part, long high, long low) {
    require(part, KeyType.DECIMAL);
    boolean negative = high < 0;
    long magnitudeLow = negative ? -low : low;
    long magnitudeHigh = negative ? ~high + (low == 0 ? 1 : 0) : high;
    int bits =
        magnitudeHigh != 0
            ? 128 - Long.numberOfLeadingZeros(magnitudeHigh)
            : 64 - Long.numberOfLeadingZeros(magnitudeLow);
    int count = (bits + 7) >>> 3;
    reserve(2 + count);
    int descending = mask(part);
    int digits = negative ? ~descending : descending;
    buffer[length++] = KeyEncoding.VALUE;
    buffer[length++] = (byte) ((negative ? 0x7F - count : 0x80 + count) ^ descending);
    for (int i = count - 1; i >= 0; i--) {
      long half = i >= 8 ? magnitudeHigh : magnitudeLow;
      buffer[length++] = (byte) ((half >>> ((i & 7) << 3)) ^ digits);
    }
    return this;
  }

  public KeyWriter appendDecimal(Part part, BigInteger unscaled) {
    if (unscaled.bitLength() < 128) {
      return appendDecimal(part, unscaled.shiftRight(64).longValue(), unscaled.longValue());
    }
    require(part, KeyType.DECIMAL);
    byte[] value = KeyEncoding.decimalBytes(unscaled);
    reserve(1 + value.length);
    buffer[length++] = KeyEncoding.VALUE;
    complement(value, value.length, mask(part));
    return this;
  }

  /** Bytes of a string in UTF-8, a binary or the 16 bytes of a uuid. */
  public KeyWriter appendBytes(Part part, byte[] source, int offset, int count) {
    if (part.type() == KeyType.UUID) {
      if (count != 16) {
        throw new IllegalStateException("a uuid has 16 bytes, not " + count);
      }
      return appendUuid(
          part, (long) LONGS.get(source, offset), (long) LONGS.get(source, offset + 8));
    }
    if (part.type() != KeyType.STRING) {
      require(part, KeyType.BINARY);
    }
    reserve(Math.addExact(Math.multiplyExact(2, count), 3));
    byte[] out = buffer;
    int at = length;
    byte mask = (byte) mask(part);
    out[at++] = KeyEncoding.VALUE;
    for (int i = offset, end = offset + count; i < end; i++) {
      byte value = source[i];
      out[at++] = (byte) (value ^ mask);
      if (value == 0) {
        out[at++] = (byte) (0xFF ^ mask);
      }
    }
    out[at++] = mask;
    out[at++] = (byte) (0x01 ^ mask);
    length = at;
    return this;
  }

  public KeyWriter appendUuid(Part part, long mostSignificant, long leastSignificant) {
    require(part, KeyType.UUID);
    reserve(17);
    long mask = mask(part);
    buffer[length] = KeyEncoding.VALUE;
    LONGS.set(buffer, length + 1, mostSignificant ^ mask);
    LONGS.set(buffer, length + 9, leastSignificant ^ mask);
    length += 17;
    return this;
  }

  /** A value in its single-value encoding, as column bounds have it. */
  public KeyWriter appendEncoded(Part part, EncodedKey value) {
    byte[] bytes = value.toByteArray();
    if (part.type() == KeyType.STRING || part.type() == KeyType.BINARY) {
      return appendBytes(part, bytes, 0, bytes.length);
    }
    reserve(1 + bytes.length);
    buffer[length++] = KeyEncoding.VALUE;
    complement(bytes, bytes.length, mask(part));
    return this;
  }

  /** The order of the keys; allocates nothing. */
  public int compareTo(KeyWriter other) {
    return Arrays.compareUnsigned(buffer, 0, length, other.buffer, 0, other.length);
  }

  /** Makes this key a copy of {@code other}'s. */
  public KeyWriter copyFrom(KeyWriter other) {
    length = 0;
    reserve(other.length);
    System.arraycopy(other.buffer, 0, buffer, 0, other.length);
    length = other.length;
    return this;
  }

  /** A copy of the whole key. */
  public EncodedKey toKey() {
    return EncodedKey.of(buffer, 0, length);
  }

  @Override
  public String toString() {
    return toKey().toString();
  }

  private void word(Part part, long bits) {
    reserve(9);
    buffer[length] = KeyEncoding.VALUE;
    LONGS.set(buffer, length + 1, bits ^ mask(part));
    length += 9;
  }

  private void complement(byte[] source, int count, int mask) {
    for (int i = 0; i < count; i++) {
      buffer[length++] = (byte) (source[i] ^ mask);
    }
  }

  /** All ones for DESC, zero for ASC. */
  private static int mask(Part part) {
    return part.direction() == SortDirection.DESC ? -1 : 0;
  }

  private static void require(Part part, KeyType type) {
    if (part.type() != type) {
      throw new IllegalStateException("a key part of " + part.type() + " is given a " + type);
    }
  }

  private void reserve(int more) {
    int needed = Math.addExact(length, more);
    if (needed > buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.max(needed, Math.min(2L * buffer.length, 1 << 30)));
    }
  }
}
