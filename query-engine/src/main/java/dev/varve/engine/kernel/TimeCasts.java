package dev.varve.engine.kernel;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Casts among dates, times and timestamps; a zone is that of the session. */
final class TimeCasts {
  private TimeCasts() {}

  static Column cast(Column column, DataType type, ZoneId zone) {
    return switch (column.type().kind()) {
      case DATE -> fromDates(Flats.ints(column), type, zone);
      case TIMESTAMP -> fromTimestamps(Flats.longs(column), column.type(), type, zone);
      case TIMESTAMPTZ ->
          fromTimestamps(Zones.toLocal(Flats.longs(column), zone), column.type(), type, zone);
      case TIME ->
          type.kind() == TypeKind.INTERVAL_DAY
              ? retyped(Flats.longs(column), type)
              : unsupported(column.type(), type);
      case INTERVAL_DAY ->
          type.kind() == TypeKind.TIME
              ? timeOfDay(Flats.longs(column), type)
              : unsupported(column.type(), type);
      default -> unsupported(column.type(), type);
    };
  }

  private static Column unsupported(DataType from, DataType to) {
    throw Casts.unsupported(from, to);
  }

  private static Column fromDates(IntColumn column, DataType type, ZoneId zone) {
    if (type.kind() != TypeKind.TIMESTAMP && type.kind() != TypeKind.TIMESTAMPTZ) {
      return unsupported(column.type(), type);
    }
    int n = column.length();
    byte[] valid = Masks.copy(column);
    int[] days = column.values();
    int offset = column.offset();
    long[] out = new long[n];
    for (int i = 0; i < n; i++) {
      out[i] = days[offset + i] * Zones.MICROS_PER_DAY;
    }
    checkDays(days, offset, n, valid);
    LongColumn local = new LongColumn(DataType.TIMESTAMP, out, valid);
    return type.kind() == TypeKind.TIMESTAMP ? local : Zones.toInstant(local, zone);
  }

  private static void checkDays(int[] days, int offset, int n, byte @Nullable [] valid) {
    long limit = Long.MAX_VALUE / Zones.MICROS_PER_DAY;
    for (int i = 0; i < n; i++) {
      int day = days[offset + i];
      if ((day > limit || day < -limit) && (valid == null || valid[i] != 0)) {
        throw new VarveException(
            ErrorCode.DATETIME_OUT_OF_RANGE,
            "date out of range for timestamp: " + TextFormat.formatDate(day));
      }
    }
  }

  private static Column fromTimestamps(
      LongColumn local, DataType from, DataType type, ZoneId zone) {
    return switch (type.kind()) {
      case DATE -> {
        int n = local.length();
        long[] values = local.values();
        int offset = local.offset();
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
          out[i] = (int) Math.floorDiv(values[offset + i], Zones.MICROS_PER_DAY);
        }
        yield new IntColumn(type, out, Masks.copy(local));
      }
      case TIME -> timeOfDay(local, type);
      case TIMESTAMP -> retyped(local, type);
      case TIMESTAMPTZ -> Zones.toInstant(local, zone);
      default -> unsupported(from, type);
    };
  }

  private static LongColumn timeOfDay(LongColumn column, DataType type) {
    int n = column.length();
    long[] values = column.values();
    int offset = column.offset();
    long[] out = new long[n];
    for (int i = 0; i < n; i++) {
      out[i] = Math.floorMod(values[offset + i], Zones.MICROS_PER_DAY);
    }
    return new LongColumn(type, out, Masks.copy(column));
  }

  private static LongColumn retyped(LongColumn column, DataType type) {
    return new LongColumn(
        type, column.values(), column.offset(), column.length(), column.validity());
  }
}
