package dev.varve.service.arrow;

import dev.varve.engine.type.DataType;
import java.time.ZoneId;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * The Arrow type that clients see for each SQL type. A timestamp with time zone is shown in the
 * session's zone; a UUID is text, which every client can show and send.
 */
public final class ArrowTypes {
  private static final int DECIMAL_BITS = 128;

  private ArrowTypes() {}

  public static ArrowType of(DataType type, ZoneId sessionZone) {
    return switch (type.kind()) {
      case NULL -> new ArrowType.Null();
      case BOOLEAN -> new ArrowType.Bool();
      case SMALLINT -> new ArrowType.Int(16, true);
      case INTEGER -> new ArrowType.Int(32, true);
      case BIGINT -> new ArrowType.Int(64, true);
      case REAL -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case DECIMAL -> new ArrowType.Decimal(type.precision(), type.scale(), DECIMAL_BITS);
      case DATE -> new ArrowType.Date(DateUnit.DAY);
      case TIME -> new ArrowType.Time(TimeUnit.MICROSECOND, 64);
      case TIMESTAMP -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
      case TIMESTAMPTZ -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, sessionZone.getId());
      case INTERVAL_DAY -> new ArrowType.Duration(TimeUnit.MICROSECOND);
      case INTERVAL_MONTH -> new ArrowType.Interval(IntervalUnit.YEAR_MONTH);
      case VARCHAR, UUID -> new ArrowType.Utf8();
      case VARBINARY -> new ArrowType.Binary();
    };
  }
}
