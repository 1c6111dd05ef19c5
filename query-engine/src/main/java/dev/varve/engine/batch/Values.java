package dev.varve.engine.batch;

import dev.varve.engine.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Between column values and Java objects; row at a time, for edges and tests. */
public final class Values {
  private static final long MICROS_PER_SECOND = 1_000_000L;

  private Values() {}

  static @Nullable Object toObject(Column column, int row) {
    if (column.isNull(row)) {
      return null;
    }
    return switch (column) {
      case DictionaryColumn c -> toObject(c.dictionary(), c.codes()[c.offset() + row]);
      case ConstantColumn c -> toObject(c.single(), 0);
      case BooleanColumn c -> c.get(row) != 0;
      case FloatColumn c -> c.get(row);
      case DoubleColumn c -> c.get(row);
      case Int128Column c -> new BigDecimal(c.get(row), c.type().scale());
      case IntColumn c ->
          switch (c.type().kind()) {
            case SMALLINT -> (short) c.get(row);
            case DATE -> LocalDate.ofEpochDay(c.get(row));
            case INTERVAL_MONTH -> Period.ofMonths(c.get(row));
            default -> c.get(row);
          };
      case LongColumn c -> fromLong(c.type(), c.get(row));
      case BytesColumn c ->
          switch (c.type().kind()) {
            case VARCHAR -> c.getString(row);
            case UUID -> toUuid(c.data(), c.start(row));
            default -> c.getBytes(row);
          };
    };
  }

  private static Object fromLong(DataType type, long value) {
    return switch (type.kind()) {
      case DECIMAL -> BigDecimal.valueOf(value, type.scale());
      case TIME -> LocalTime.ofNanoOfDay(value * 1000);
      case TIMESTAMP -> toInstant(value).atOffset(ZoneOffset.UTC).toLocalDateTime();
      case TIMESTAMPTZ -> toInstant(value);
      case INTERVAL_DAY -> Duration.of(value, ChronoUnit.MICROS);
      default -> value;
    };
  }

  private static Instant toInstant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, MICROS_PER_SECOND), Math.floorMod(micros, MICROS_PER_SECOND) * 1000);
  }

  static UUID toUuid(byte[] data, int start) {
    ByteBuffer buffer = ByteBuffer.wrap(data, start, 16);
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  public static byte[] uuidBytes(UUID value) {
    return ByteBuffer.allocate(16)
        .putLong(value.getMostSignificantBits())
        .putLong(value.getLeastSignificantBits())
        .array();
  }

  public static long toMicros(Instant value) {
    return Math.addExact(
        Math.multiplyExact(value.getEpochSecond(), MICROS_PER_SECOND), value.getNano() / 1000);
  }

  static void append(ColumnBuilder builder, DataType type, @Nullable Object value) {
    if (value == null) {
      builder.appendNull();
      return;
    }
    switch (type.kind()) {
      case NULL -> throw new IllegalArgumentException("a value of type unknown: " + value);
      case BOOLEAN -> builder.appendBoolean((Boolean) value);
      case SMALLINT, INTEGER -> builder.appendInt(Math.toIntExact(((Number) value).longValue()));
      case BIGINT -> builder.appendLong(((Number) value).longValue());
      case REAL -> builder.appendFloat(((Number) value).floatValue());
      case DOUBLE -> builder.appendDouble(((Number) value).doubleValue());
      case DECIMAL -> {
        BigInteger unscaled =
            new BigDecimal(value.toString())
                .setScale(type.scale(), RoundingMode.UNNECESSARY)
                .unscaledValue();
        if (type.precision() <= DataType.MAX_LONG_PRECISION) {
          builder.appendLong(unscaled.longValueExact());
        } else {
          builder.appendInt128(unscaled.shiftRight(64).longValueExact(), unscaled.longValue());
        }
      }
      case DATE ->
          builder.appendInt(
              value instanceof LocalDate date
                  ? Math.toIntExact(date.toEpochDay())
                  : Math.toIntExact(((Number) value).longValue()));
      case TIME ->
          builder.appendLong(
              value instanceof LocalTime time
                  ? time.toNanoOfDay() / 1000
                  : ((Number) value).longValue());
      case TIMESTAMP ->
          builder.appendLong(
              value instanceof LocalDateTime time
                  ? toMicros(time.toInstant(ZoneOffset.UTC))
                  : ((Number) value).longValue());
      case TIMESTAMPTZ ->
          builder.appendLong(
              value instanceof Instant time ? toMicros(time) : ((Number) value).longValue());
      case INTERVAL_DAY ->
          builder.appendLong(
              value instanceof Duration duration
                  ? duration.toNanos() / 1000
                  : ((Number) value).longValue());
      case INTERVAL_MONTH ->
          builder.appendInt(
              value instanceof Period period
                  ? Math.toIntExact(period.toTotalMonths())
                  : Math.toIntExact(((Number) value).longValue()));
      case VARCHAR -> builder.appendString((String) value);
      case VARBINARY -> builder.appendBytes((byte[]) value);
      case UUID -> builder.appendBytes(uuidBytes((UUID) value));
    }
  }
}
