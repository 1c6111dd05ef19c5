package dev.varve.service.query;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Statement parameters from JSON: null, booleans, numbers and strings as they are; other types as
 * {@code {"type": "date", "value": "2026-11-30"}}.
 */
final class Parameters {
  private Parameters() {}

  static List<@Nullable Object> read(@Nullable List<@Nullable Object> json) {
    List<@Nullable Object> values = new ArrayList<>();
    if (json != null) {
      for (int i = 0; i < json.size(); i++) {
        values.add(value(i + 1, json.get(i)));
      }
    }
    return values;
  }

  private static @Nullable Object value(int position, @Nullable Object json) {
    return switch (json) {
      case null -> null;
      case Boolean b -> b;
      case Integer i -> i;
      case Long l -> l;
      case BigInteger i -> new BigDecimal(i);
      case BigDecimal d -> d;
      case Double d -> d;
      case String s -> s;
      case Map<?, ?> typed -> typed(position, typed);
      default -> throw wrong(position, "is not a value");
    };
  }

  private static @Nullable Object typed(int position, Map<?, ?> json) {
    Object type = json.get("type");
    Object value = json.get("value");
    if (!(type instanceof String name) || json.size() != (json.containsKey("value") ? 2 : 1)) {
      throw wrong(position, "needs the members \"type\" and \"value\" and no other");
    }
    if (value == null) {
      return null;
    }
    String text = value.toString();
    try {
      return switch (name) {
        case "boolean" -> Boolean.valueOf(text);
        case "smallint" -> Short.valueOf(text);
        case "integer" -> Integer.valueOf(text);
        case "bigint" -> Long.valueOf(text);
        case "real" -> Float.valueOf(text);
        case "double" -> Double.valueOf(text);
        case "decimal" -> new BigDecimal(text);
        case "varchar" -> text;
        case "date" -> LocalDate.parse(text);
        case "time" -> LocalTime.parse(text);
        case "timestamp" -> LocalDateTime.parse(text.replace(' ', 'T'));
        case "timestamptz" -> Instant.parse(text);
        case "uuid" -> UUID.fromString(text);
        case "varbinary" ->
            HexFormat.of().parseHex(text.startsWith("\\x") ? text.substring(2) : text);
        default -> throw wrong(position, "has the unknown type '" + name + "'");
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      throw wrong(position, "is no " + name + ": '" + text + "'");
    }
  }

  private static VarveException wrong(int position, String what) {
    return new VarveException(ErrorCode.INVALID_PARAMETER, "parameter " + position + " " + what);
  }
}
