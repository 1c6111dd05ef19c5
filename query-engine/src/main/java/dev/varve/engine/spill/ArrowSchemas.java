package dev.varve.engine.spill;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import org.apache.arrow.flatbuf.Binary;
import org.apache.arrow.flatbuf.Bool;
import org.apache.arrow.flatbuf.Date;
import org.apache.arrow.flatbuf.DateUnit;
import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.Duration;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Interval;
import org.apache.arrow.flatbuf.IntervalUnit;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Time;
import org.apache.arrow.flatbuf.TimeUnit;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;

/**
 * Schemas as Arrow has them. Decimals of up to 18 digits are written as their unscaled integers of
 * 64 bits and UUIDs as bytes, as the columns hold them.
 */
final class ArrowSchemas {
  private ArrowSchemas() {}

  /** Writes the schema; its offset. */
  static int write(FlatBufferBuilder builder, Schema schema) {
    int[] fields = new int[schema.size()];
    for (int c = 0; c < fields.length; c++) {
      DataType type = schema.type(c);
      int name = builder.createString(schema.field(c).name());
      int children = Field.createChildrenVector(builder, new int[0]);
      int detail = detail(builder, type);
      Field.startField(builder);
      Field.addName(builder, name);
      Field.addNullable(builder, true);
      Field.addTypeType(builder, tag(type));
      Field.addType(builder, detail);
      Field.addChildren(builder, children);
      fields[c] = Field.endField(builder);
    }
    int vector = org.apache.arrow.flatbuf.Schema.createFieldsVector(builder, fields);
    org.apache.arrow.flatbuf.Schema.startSchema(builder);
    org.apache.arrow.flatbuf.Schema.addEndianness(builder, Endianness.Little);
    org.apache.arrow.flatbuf.Schema.addFields(builder, vector);
    return org.apache.arrow.flatbuf.Schema.endSchema(builder);
  }

  private static byte tag(DataType type) {
    return switch (type.kind()) {
      case NULL, BOOLEAN -> Type.Bool;
      case SMALLINT, INTEGER, BIGINT -> Type.Int;
      case REAL, DOUBLE -> Type.FloatingPoint;
      case DECIMAL -> isWide(type) ? Type.Decimal : Type.Int;
      case DATE -> Type.Date;
      case TIME -> Type.Time;
      case TIMESTAMP, TIMESTAMPTZ -> Type.Timestamp;
      case INTERVAL_DAY -> Type.Duration;
      case INTERVAL_MONTH -> Type.Interval;
      case VARCHAR -> Type.Utf8;
      case VARBINARY, UUID -> Type.Binary;
    };
  }

  private static boolean isWide(DataType type) {
    return type.precision() > DataType.MAX_LONG_PRECISION;
  }

  private static int detail(FlatBufferBuilder builder, DataType type) {
    return switch (type.kind()) {
      case NULL, BOOLEAN -> {
        Bool.startBool(builder);
        yield Bool.endBool(builder);
      }
      case SMALLINT, INTEGER -> Int.createInt(builder, 32, true);
      case BIGINT -> Int.createInt(builder, 64, true);
      case REAL -> FloatingPoint.createFloatingPoint(builder, Precision.SINGLE);
      case DOUBLE -> FloatingPoint.createFloatingPoint(builder, Precision.DOUBLE);
      case DECIMAL ->
          isWide(type)
              ? Decimal.createDecimal(builder, type.precision(), type.scale(), 128)
              : Int.createInt(builder, 64, true);
      case DATE -> Date.createDate(builder, DateUnit.DAY);
      case TIME -> Time.createTime(builder, TimeUnit.MICROSECOND, 64);
      case TIMESTAMP -> Timestamp.createTimestamp(builder, TimeUnit.MICROSECOND, 0);
      case TIMESTAMPTZ -> {
        int zone = builder.createString("UTC");
        yield Timestamp.createTimestamp(builder, TimeUnit.MICROSECOND, zone);
      }
      case INTERVAL_DAY -> Duration.createDuration(builder, TimeUnit.MICROSECOND);
      case INTERVAL_MONTH -> Interval.createInterval(builder, IntervalUnit.YEAR_MONTH);
      case VARCHAR -> {
        Utf8.startUtf8(builder);
        yield Utf8.endUtf8(builder);
      }
      case VARBINARY, UUID -> {
        Binary.startBinary(builder);
        yield Binary.endBinary(builder);
      }
    };
  }
}
