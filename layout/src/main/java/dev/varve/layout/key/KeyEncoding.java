package dev.varve.layout.key;

import dev.varve.layout.NullOrder;
import dev.varve.layout.SortDirection;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Encodes values so that unsigned byte order is value order.
 *
 * <pre>
 * boolean    1 byte, 00 or 01
 * integral   8 bytes big-endian, sign bit flipped
 * floating   8 bytes of the double: sign bit flipped, all bits when negative; one NaN; -0.0 as +0.0
 * decimal    80+n (zero and up) or 7F-n (negative), then the n bytes of the magnitude, complemented
 *            when negative; n is the least possible
 * uuid       16 bytes
 * string     UTF-8; binary: as it is
 * </pre>
 *
 * One part of a composite key: a tag (01 null-first, 02 value, 03 null-last; never complemented),
 * then the value, complemented for DESC, its terminator included. A string or binary in a composite
 * writes 00 as 00 FF and ends with 00 01, so that no key is a prefix of another. A single value (a
 * column bound) is ascending, without tag and terminator.
 *
 * <p>{@link KeyWriter} writes composite keys without allocating; {@link KeyTruncation} shortens
 * keys.
 */
public final class KeyEncoding {
  static final byte NULL_FIRST = 1;
  static final byte VALUE = 2;
  static final byte NULL_LAST = 3;

  /** More bytes would not fit the header; 16 are enough for 38 digits. */
  private static final int MAX_DECIMAL_BYTES = 0x7E;

  private KeyEncoding() {}

  /** One part of a composite key. */
  public record Part(KeyType type, SortDirection direction, NullOrder nullOrder) {}

  /**
   * Encodes one non-null value as a column bound; the value has the Java type that {@code type}
   * names.
   */
  public static EncodedKey encodeValue(KeyType type, Object value) {
    return EncodedKey.of(
        switch (type) {
          case BOOLEAN -> new byte[] {(byte) ((Boolean) value ? 1 : 0)};
          case INTEGRAL -> longBytes((Long) value ^ Long.MIN_VALUE);
          case FLOATING -> longBytes(doubleBits((Double) value));
          case DECIMAL -> decimalBytes((BigInteger) value);
          case STRING -> utf8((String) value);
          case BINARY -> (byte[]) value;
          case UUID -> uuidBytes((UUID) value);
        });
  }

  /** An integer, date, time or timestamp as a column bound. */
  public static EncodedKey encodeLong(long value) {
    return EncodedKey.of(longBytes(value ^ Long.MIN_VALUE));
  }

  /** A float or double as a column bound. */
  public static EncodedKey encodeDouble(double value) {
    return EncodedKey.of(longBytes(doubleBits(value)));
  }

  /** The value of an exact bound. */
  public static Object decodeValue(KeyType type, EncodedKey key) {
    byte[] bytes = key.toByteArray();
    return switch (type) {
      case BOOLEAN -> decodeBoolean(expect(type, bytes, 1)[0]);
      case INTEGRAL -> decodeLong(expect(type, bytes, 8));
      case FLOATING -> decodeDouble(expect(type, bytes, 8));
      case DECIMAL -> decodeDecimal(bytes);
      case STRING -> new String(bytes, StandardCharsets.UTF_8);
      case BINARY -> bytes;
      case UUID -> decodeUuid(expect(type, bytes, 16));
    };
  }

  /** Encodes a composite key; null values are allowed. */
  public static EncodedKey encode(List<Part> parts, List<? extends @Nullable Object> values) {
    if (parts.size() != values.size()) {
      throw new IllegalStateException(parts.size() + " key parts, " + values.size() + " values");
    }
    KeyWriter writer = new KeyWriter();
    for (int i = 0; i < parts.size(); i++) {
      append(writer, parts.get(i), values.get(i));
    }
    return writer.toKey();
  }

  /** Appends a value, which may be null, to a key. */
  public static void append(KeyWriter writer, Part part, @Nullable Object value) {
    if (value == null) {
      writer.appendNull(part);
      return;
    }
    switch (part.type()) {
      case BOOLEAN -> writer.appendBoolean(part, (Boolean) value);
      case INTEGRAL -> writer.appendLong(part, (Long) value);
      case FLOATING -> writer.appendDouble(part, (Double) value);
      case DECIMAL -> writer.appendDecimal(part, (BigInteger) value);
      case STRING -> {
        byte[] bytes = utf8((String) value);
        writer.appendBytes(part, bytes, 0, bytes.length);
      }
      case BINARY -> {
        byte[] bytes = (byte[]) value;
        writer.appendBytes(part, bytes, 0, bytes.length);
      }
      case UUID -> {
        UUID uuid = (UUID) value;
        writer.appendUuid(part, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
      }
    }
  }

  /**
   * The values of an untruncated composite key; -0.0 comes back as 0.0 and every NaN as the one
   * NaN.
   */
  public static List<@Nullable Object> decode(List<Part> parts, EncodedKey key) {
    KeyReader reader = new KeyReader(key.toByteArray());
    List<@Nullable Object> values = new ArrayList<>(parts.size());
    for (Part part : parts) {
      values.add(reader.next(part));
    }
    reader.end();
    return values;
  }

  /** The first value of an untruncated composite key whose first part is {@code part}. */
  public static @Nullable Object decodeFirst(Part part, EncodedKey key) {
    return new KeyReader(key.toByteArray()).next(part);
  }

  /** The bits of a double in an order-preserving unsigned form. */
  static long doubleBits(double value) {
    // Adding +0.0 turns -0.0 into +0.0; doubleToLongBits has only one NaN.
    long bits = Double.doubleToLongBits(value + 0.0);
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  static byte[] decimalBytes(BigInteger unscaled) {
    boolean negative = unscaled.signum() < 0;
    byte[] magnitude = unscaled.abs().toByteArray();
    int skip = magnitude[0] == 0 ? 1 : 0;
    int count = magnitude.length - skip;
    if (count > MAX_DECIMAL_BYTES) {
      throw new IllegalStateException("a decimal of " + count + " bytes has no encoding");
    }
    byte[] bytes = new byte[1 + count];
    bytes[0] = (byte) (negative ? 0x7F - count : 0x80 + count);
    for (int i = 0; i < count; i++) {
      bytes[1 + i] = (byte) (magnitude[skip + i] ^ (negative ? 0xFF : 0));
    }
    return bytes;
  }

  static boolean decodeBoolean(byte value) {
    if (value != 0 && value != 1) {
      throw new IllegalStateException("not an encoded boolean: " + value);
    }
    return value == 1;
  }

  static long decodeLong(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong() ^ Long.MIN_VALUE;
  }

  static double decodeDouble(byte[] bytes) {
    long bits = ByteBuffer.wrap(bytes).getLong();
    return Double.longBitsToDouble(bits < 0 ? bits ^ Long.MIN_VALUE : ~bits);
  }

  static BigInteger decodeDecimal(byte[] bytes) {
    int header = bytes.length == 0 ? -1 : bytes[0] & 0xFF;
    if (header < 0 || bytes.length != 1 + decimalLength(header)) {
      throw new IllegalStateException("not an encoded decimal: " + Arrays.toString(bytes));
    }
    boolean negative = header < 0x80;
    byte[] magnitude = Arrays.copyOfRange(bytes, 1, bytes.length);
    if (negative) {
      for (int i = 0; i < magnitude.length; i++) {
        magnitude[i] = (byte) ~magnitude[i];
      }
    }
    return new BigInteger(negative ? -1 : 1, magnitude);
  }

  /** How many bytes follow the header of a decimal. */
  static int decimalLength(int header) {
    return header >= 0x80 ? header - 0x80 : 0x7F - header;
  }

  static UUID decodeUuid(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  private static byte[] uuidBytes(UUID value) {
    return ByteBuffer.allocate(16)
        .putLong(value.getMostSignificantBits())
        .putLong(value.getLeastSignificantBits())
        .array();
  }

  private static byte[] longBytes(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  private static byte[] utf8(String value) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new VarveException(
          ErrorCode.INVALID_TEXT, "a string with half of a surrogate pair has no UTF-8 form", e);
    }
  }

  private static byte[] expect(KeyType type, byte[] bytes, int count) {
    if (bytes.length != count) {
      throw new IllegalStateException(
          "an encoded " + type + " has " + count + " bytes, not " + bytes.length);
    }
    return bytes;
  }
}
