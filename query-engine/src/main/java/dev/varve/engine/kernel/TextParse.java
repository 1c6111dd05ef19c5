package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Text as values of other types, by PostgreSQL's input rules; blanks around a value are ignored.
 */
final class TextParse {
  private TextParse() {}

  static Column parse(BytesColumn column, DataType type, ZoneId zone) {
    int n = column.length();
    byte[] valid = Masks.copy(column);
    return switch (type.kind()) {
      case VARCHAR, NULL -> throw Casts.unsupported(column.type(), type);
      case BOOLEAN -> {
        byte[] out = new byte[n];
        for (int i = 0; i < n; i++) {
          if (!column.isNull(i)) {
            out[i] = (byte) (parseBoolean(column.getString(i)) ? 1 : 0);
          }
        }
        yield new BooleanColumn(type, out, valid);
      }
      case SMALLINT, INTEGER -> {
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
          if (!column.isNull(i)) {
            out[i] = (int) parseInteger(column, i, type);
          }
        }
        yield new IntColumn(type, out, valid);
      }
      case BIGINT -> {
        long[] out = new long[n];
        for (int i = 0; i < n; i++) {
          if (!column.isNull(i)) {
            out[i] = parseInteger(column, i, type);
          }
        }
        yield new LongColumn(type, out, valid);
      }
      case REAL -> {
        float[] out = new float[n];
        for (int i = 0; i < n; i++) {
          if (!column.isNull(i)) {
            out[i] = parseReal(column.getString(i), type);
          }
        }
        yield new FloatColumn(type, out, valid);
      }
      case DOUBLE -> {
        double[] out = new double[n];
        for (int i = 0; i < n; i++) {
          if (!column.isNull(i)) {
            out[i] = parseDouble(column.getString(i), type);
          }
        }
        yield new DoubleColumn(type, out, valid);
      }
      case DECIMAL -> {
        long[] high = new long[n];
        long[] low = new long[n];
        for (int i = 0; i < n; i++) {
          if (!column.isNull(i)) {
            BigInteger unscaled = parseDecimal(column.getString(i), type);
            high[i] = Int128.high(unscaled);
            low[i] = Int128.low(unscaled);
          }
        }
        yield DecimalArithmetic.narrowed(high, low, valid, type);
      }
      case DATE, INTERVAL_MONTH -> {
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
          if (!column.isNull(i)) {
            String text = column.getString(i);
            out[i] =
                type.equals(DataType.DATE)
                    ? DateTimeText.parseDate(text)
                    : IntervalText.parseMonths(text);
          }
        }
        yield new IntColumn(type, out, valid);
      }
      case TIME, TIMESTAMP, TIMESTAMPTZ, INTERVAL_DAY -> {
        long[] out = new long[n];
        for (int i = 0; i < n; i++) {
          if (!column.isNull(i)) {
            out[i] = parseMicros(column.getString(i), type, zone);
          }
        }
        yield new LongColumn(type, out, valid);
      }
      case VARBINARY, UUID -> {
        BytesBuilder out = new BytesBuilder(n, 16);
        for (int i = 0; i < n; i++) {
          if (!column.isNull(i)) {
            byte[] bytes =
                type.equals(DataType.UUID)
                    ? parseUuid(column.getString(i))
                    : parseBytes(column.getString(i));
            out.append(bytes, 0, bytes.length);
          }
          out.endRow();
        }
        yield out.build(type, valid);
      }
    };
  }

  private static long parseMicros(String text, DataType type, ZoneId zone) {
    return switch (type.kind()) {
      case TIME -> DateTimeText.parseTime(text);
      case TIMESTAMP -> DateTimeText.parseTimestamp(text);
      case TIMESTAMPTZ -> DateTimeText.parseInstant(text, zone);
      default -> IntervalText.parseMicros(text);
    };
  }

  static VarveException invalid(DataType type, String text) {
    return new VarveException(
        ErrorCode.INVALID_TEXT, "invalid input syntax for type " + type + ": \"" + text + "\"");
  }

  private static VarveException tooLarge(DataType type, String text) {
    return new VarveException(
        ErrorCode.NUMERIC_OUT_OF_RANGE, "value \"" + text + "\" is out of range for type " + type);
  }

  private static boolean parseBoolean(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    if (word.equals("1") || word.equals("on") || isPrefix(word, "true") || isPrefix(word, "yes")) {
      return true;
    }
    if (word.equals("0")
        || word.equals("of")
        || word.equals("off")
        || isPrefix(word, "false")
        || isPrefix(word, "no")) {
      return false;
    }
    throw invalid(DataType.BOOLEAN, text);
  }

  private static boolean isPrefix(String word, String whole) {
    return !word.isEmpty() && whole.startsWith(word);
  }

  /** Digits with a sign, straight from the bytes. */
  private static long parseInteger(BytesColumn column, int row, DataType type) {
    byte[] data = column.data();
    int start = column.start(row);
    int end = column.end(row);
    while (start < end && isSpace(data[start])) {
      start++;
    }
    while (start < end && isSpace(data[end - 1])) {
      end--;
    }
    boolean negative = start < end && data[start] == '-';
    if (start < end && (data[start] == '-' || data[start] == '+')) {
      start++;
    }
    if (start == end) {
      throw invalid(type, column.getString(row));
    }
    // Collected as a negative number, which reaches one further.
    long value = 0;
    boolean tooLarge = false;
    for (int i = start; i < end; i++) {
      int digit = data[i] - '0';
      if (digit < 0 || digit > 9) {
        throw invalid(type, column.getString(row));
      }
      if (value < (Long.MIN_VALUE + digit) / 10) {
        tooLarge = true;
      } else {
        value = value * 10 - digit;
      }
    }
    if (!negative) {
      tooLarge |= value == Long.MIN_VALUE;
      value = -value;
    }
    boolean fits =
        switch (type.kind()) {
          case SMALLINT -> value == (short) value;
          case INTEGER -> value == (int) value;
          default -> true;
        };
    if (tooLarge || !fits) {
      throw tooLarge(type, column.getString(row));
    }
    return value;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || (b >= 9 && b <= 13);
  }

  private static double parseDouble(String text, DataType type) {
    String word = text.strip();
    Double named = namedNumber(word);
    if (named != null) {
      return named;
    }
    BigDecimal exact = number(word, type, text);
    double value = exact.doubleValue();
    if (Double.isInfinite(value) || (value == 0 && exact.signum() != 0)) {
      throw tooLarge(type, text);
    }
    return value == 0 && word.startsWith("-") ? -0.0 : value;
  }

  private static float parseReal(String text, DataType type) {
    String word = text.strip();
    Double named = namedNumber(word);
    if (named != null) {
      return named.floatValue();
    }
    BigDecimal exact = number(word, type, text);
    float value = exact.floatValue();
    if (Float.isInfinite(value) || (value == 0 && exact.signum() != 0)) {
      throw tooLarge(type, text);
    }
    return value == 0 && word.startsWith("-") ? -0.0f : value;
  }

  private static @Nullable Double namedNumber(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "nan" -> Double.NaN;
      case "infinity", "+infinity", "inf", "+inf" -> Double.POSITIVE_INFINITY;
      case "-infinity", "-inf" -> Double.NEGATIVE_INFINITY;
      default -> null;
    };
  }

  private static BigDecimal number(String word, DataType type, String text) {
    try {
      BigDecimal value = new BigDecimal(word);
      // Exponents beyond any type would cost memory before they fail.
      if (value.signum() != 0 && Math.abs((long) value.precision() - value.scale()) > 5000) {
        throw tooLarge(type, text);
      }
      return value;
    } catch (NumberFormatException e) {
      throw invalid(type, text);
    }
  }

  private static BigInteger parseDecimal(String text, DataType type) {
    String word = text.strip();
    Double named = namedNumber(word);
    if (named != null) {
      throw NumberCasts.outOfRange(type, word);
    }
    BigInteger unscaled =
        number(word, type, text).setScale(type.scale(), RoundingMode.HALF_UP).unscaledValue();
    if (unscaled.abs().compareTo(Int128.powerOfTen(type.precision())) >= 0) {
      throw NumberCasts.outOfRange(type, word);
    }
    return unscaled;
  }

  /** Hexadecimal digits, in braces or not, with hyphens after any group of four. */
  private static byte[] parseUuid(String text) {
    String word = text.strip();
    if (word.startsWith("{") && word.endsWith("}")) {
      word = word.substring(1, word.length() - 1);
    }
    StringBuilder digits = new StringBuilder(32);
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      boolean separator = c == '-' && digits.length() > 0 && digits.length() % 4 == 0;
      if (!separator) {
        digits.append(c);
      }
    }
    if (digits.length() != 32 || word.endsWith("-")) {
      throw invalid(DataType.UUID, text);
    }
    try {
      return HexFormat.of().parseHex(digits);
    } catch (IllegalArgumentException e) {
      throw invalid(DataType.UUID, text);
    }
  }

  /** {@code \x} and hexadecimal digits, or text in which {@code \ooo} is an octal byte. */
  private static byte[] parseBytes(String text) {
    if (text.startsWith("\\x")) {
      try {
        return HexFormat.of().parseHex(text.substring(2).replace(" ", ""));
      } catch (IllegalArgumentException e) {
        throw invalid(DataType.VARBINARY, text);
      }
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '\\') {
        out.write(bytes[i]);
      } else if (i + 1 < bytes.length && bytes[i + 1] == '\\') {
        out.write('\\');
        i++;
      } else if (i + 3 < bytes.length
          && bytes[i + 1] >= '0'
          && bytes[i + 1] <= '3'
          && isOctal(bytes[i + 2])
          && isOctal(bytes[i + 3])) {
        out.write((bytes[i + 1] - '0') * 64 + (bytes[i + 2] - '0') * 8 + bytes[i + 3] - '0');
        i += 3;
      } else {
        throw invalid(DataType.VARBINARY, text);
      }
    }
    return out.toByteArray();
  }

  private static boolean isOctal(byte b) {
    return b >= '0' && b <= '7';
  }
}
