package dev.varve.service.arrow;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;

/**
 * Values that clients send as statements' parameters, as the engine takes them: of whatever Arrow
 * type the client thinks right, in whatever unit.
 */
public final class ArrowValues {
  private ArrowValues() {}

  public static @Nullable Object read(FieldVector vector, int row) {
    Object value = vector.isNull(row) ? null : vector.getObject(row);
    ArrowType type = vector.getField().getType();
    return switch (value) {
      case null -> null;
      case Text text -> text.toString();
      case Byte number when type instanceof ArrowType.Int integer && !integer.getIsSigned() ->
          (short) Byte.toUnsignedInt(number);
      case Byte number -> number.shortValue();
      case Character unsigned -> (int) unsigned;
      case Integer number when type instanceof ArrowType.Date -> LocalDate.ofEpochDay(number);
      case Number number when type instanceof ArrowType.Time time ->
          LocalTime.MIN.plus(number.longValue(), unit(time.getUnit()));
      case LocalDateTime moment when type instanceof ArrowType.Time -> moment.toLocalTime();
      case LocalDateTime moment
          when type instanceof ArrowType.Date date && date.getUnit() == DateUnit.MILLISECOND ->
          moment.toLocalDate();
      case Long number when type instanceof ArrowType.Timestamp timestamp ->
          moment(number, timestamp);
      case Integer number when type instanceof ArrowType.Int integer && !integer.getIsSigned() ->
          Integer.toUnsignedLong(number);
      case Long number when type instanceof ArrowType.Int integer && !integer.getIsSigned() ->
          new BigDecimal(Long.toUnsignedString(number));
      case Boolean _,
          Short _,
          Integer _,
          Long _,
          Float _,
          Double _,
          BigDecimal _,
          String _,
          LocalDateTime _,
          Duration _,
          Period _,
          byte[] _ ->
          value;
      default ->
          throw new VarveException(
              ErrorCode.INVALID_PARAMETER, "a parameter cannot be of the Arrow type " + type);
    };
  }

  private static Object moment(long value, ArrowType.Timestamp type) {
    Instant instant = Instant.EPOCH.plus(value, unit(type.getUnit()));
    return type.getTimezone() == null ? LocalDateTime.ofInstant(instant, ZoneOffset.UTC) : instant;
  }

  private static ChronoUnit unit(org.apache.arrow.vector.types.TimeUnit unit) {
    return switch (unit) {
      case SECOND -> ChronoUnit.SECONDS;
      case MILLISECOND -> ChronoUnit.MILLIS;
      case MICROSECOND -> ChronoUnit.MICROS;
      case NANOSECOND -> ChronoUnit.NANOS;
    };
  }
}
