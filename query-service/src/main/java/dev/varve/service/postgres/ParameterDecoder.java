package dev.varve.service.postgres;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/** Values of parameters as clients send them, as the engine takes them. */
final class ParameterDecoder {
  private static final LocalDate EPOCH_DAY = LocalDate.of(2000, 1, 1);
  private static final LocalDateTime EPOCH = EPOCH_DAY.atStartOfDay();
  private static final Instant EPOCH_INSTANT = Instant.parse("2000-01-01T00:00:00Z");
  private static final int NUMERIC_NEGATIVE = 0x4000;
  private static final int NUMERIC_SPECIAL = 0xC000;

  private ParameterDecoder() {}

  /**
   * A value that is not null.
   *
   * @param number of the parameter, for the message
   */
  static Object decode(int number, int oid, boolean binary, byte[] bytes) {
    try {
      return binary ? binary(oid, ByteBuffer.wrap(bytes), bytes) : text(oid, bytes);
    } catch (BufferUnderflowException | IllegalArgumentException | DateTimeException e) {
      throw new VarveException(
          ErrorCode.INVALID_TEXT,
          "parameter $"
              + number
              + " is no value of type "
              + oid
              + (binary ? "" : ": '" + new String(bytes, StandardCharsets.UTF_8) + "'"),
          e);
    }
  }

  /** Text that the engine reads better by itself, as dates, stays text. */
  private static Object text(int oid, byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return switch (oid) {
      case WireTypes.BOOL -> bool(text.strip().toLowerCase(java.util.Locale.ROOT));
      case WireTypes.INT2 -> Short.valueOf(text.strip());
      case WireTypes.INT4 -> Integer.valueOf(text.strip());
      case WireTypes.INT8, WireTypes.OID -> Long.valueOf(text.strip());
      case WireTypes.FLOAT4 -> Float.valueOf(floating(text.strip()));
      case WireTypes.FLOAT8 -> Double.valueOf(floating(text.strip()));
      case WireTypes.NUMERIC -> new BigDecimal(text.strip());
      case WireTypes.UUID -> java.util.UUID.fromString(text.strip());
      case WireTypes.BYTEA -> bytea(text);
      default -> text;
    };
  }

  private static String floating(String text) {
    return text.equalsIgnoreCase("inf") || text.equalsIgnoreCase("-inf") ? text + "inity" : text;
  }

  private static Boolean bool(String text) {
    return switch (text) {
      case "t", "true", "y", "yes", "on", "1" -> true;
      case "f", "false", "n", "no", "off", "0" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static byte[] bytea(String text) {
    if (!text.startsWith("\\x")) {
      throw new IllegalArgumentException("only the hexadecimal form is read");
    }
    return HexFormat.of().parseHex(text.substring(2));
  }

  private static Object binary(int oid, ByteBuffer value, byte[] bytes) {
    return switch (oid) {
      case WireTypes.BOOL -> value.get() != 0;
      case WireTypes.INT2 -> value.getShort();
      case WireTypes.INT4 -> value.getInt();
      case WireTypes.INT8 -> value.getLong();
      case WireTypes.OID -> Integer.toUnsignedLong(value.getInt());
      case WireTypes.FLOAT4 -> value.getFloat();
      case WireTypes.FLOAT8 -> value.getDouble();
      case WireTypes.DATE -> EPOCH_DAY.plusDays(value.getInt());
      case WireTypes.TIME -> LocalTime.MIN.plus(value.getLong(), ChronoUnit.MICROS);
      case WireTypes.TIMESTAMP -> EPOCH.plus(value.getLong(), ChronoUnit.MICROS);
      case WireTypes.TIMESTAMPTZ -> EPOCH_INSTANT.plus(value.getLong(), ChronoUnit.MICROS);
      case WireTypes.NUMERIC -> numeric(value);
      case WireTypes.UUID -> new java.util.UUID(value.getLong(), value.getLong());
      case WireTypes.BYTEA -> bytes;
      case WireTypes.TEXT,
          WireTypes.VARCHAR,
          WireTypes.BPCHAR,
          WireTypes.NAME,
          WireTypes.UNKNOWN,
          0 ->
          new String(bytes, StandardCharsets.UTF_8);
      default -> throw new IllegalArgumentException("no binary values of type " + oid);
    };
  }

  /** Digits to the base 10000, the first one of weight {@code weight}. */
  private static BigDecimal numeric(ByteBuffer value) {
    int count = value.getShort();
    int weight = value.getShort();
    int sign = value.getShort() & 0xFFFF;
    int scale = value.getShort();
    if ((sign & NUMERIC_SPECIAL) == NUMERIC_SPECIAL) {
      throw new IllegalArgumentException("NaN and infinity are no numeric values here");
    }
    BigInteger digits = BigInteger.ZERO;
    for (int i = 0; i < count; i++) {
      digits =
          digits.multiply(BigInteger.valueOf(10_000)).add(BigInteger.valueOf(value.getShort()));
    }
    BigDecimal number =
        new BigDecimal(digits).scaleByPowerOfTen(4 * (weight - count + 1)).setScale(scale);
    return sign == NUMERIC_NEGATIVE ? number.negate() : number;
  }
}
