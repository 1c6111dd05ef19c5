package dev.varve.engine.scan;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.FileTypes;
import dev.varve.engine.type.DataType;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

/**
 * A value as a file stores it, to be looked up in a bloom filter. Filters hash what is stored, so a
 * value that is not stored in exactly one way is not looked up at all.
 */
interface BloomProbe {
  /** For one task at a time; see {@link #ask}. */
  boolean mayBeIn(BloomFilter filter);

  /** Asks a filter that several tasks share: it hashes in a buffer of its own, one at a time. */
  static boolean ask(BloomProbe probe, BloomFilter filter) {
    synchronized (filter) {
      return probe.mayBeIn(filter);
    }
  }

  static Optional<BloomProbe> of(FileColumn column, LiteralExpr literal) {
    PrimitiveType type = column.primitive();
    DataType own = FileTypes.tryOf(type).orElse(null);
    if (own == null || literal.isNull()) {
      return Optional.empty();
    }
    if (own.isDecimal() && (!literal.type().isDecimal() || own.scale() != literal.type().scale())) {
      return Optional.empty();
    }
    Column value = literal.single();
    return switch (type.getPrimitiveTypeName()) {
      case INT32 -> integral(value, type).filter(v -> fitsInt(v, own)).map(BloomProbe::ofInt);
      case INT64 -> integral(value, type).map(BloomProbe::ofLong);
      case FLOAT -> value instanceof FloatColumn c ? ofFloat(c.get(0)) : Optional.empty();
      case DOUBLE -> value instanceof DoubleColumn c ? ofDouble(c.get(0)) : Optional.empty();
      case BINARY ->
          value instanceof BytesColumn c && !own.isDecimal()
              ? Optional.of(f -> f.findHash(f.hash(Binary.fromConstantByteArray(c.getBytes(0)))))
              : Optional.empty();
      case FIXED_LEN_BYTE_ARRAY -> fixed(value, own, type.getTypeLength());
      case BOOLEAN, INT96 -> Optional.empty();
    };
  }

  private static BloomProbe ofInt(long value) {
    return f -> f.findHash(f.hash((int) value));
  }

  private static BloomProbe ofLong(long value) {
    return f -> f.findHash(f.hash(value));
  }

  private static boolean fitsInt(long value, DataType own) {
    return own.equals(DataType.BIGINT) ? value >= 0 && value <= 0xffff_ffffL : value == (int) value;
  }

  /** In the unit that the file has; empty where several stored values are this one. */
  private static Optional<Long> integral(Column value, PrimitiveType type) {
    long number;
    switch (value) {
      case IntColumn c -> number = c.get(0);
      case LongColumn c -> number = c.get(0);
      // Unsigned 64 bits, or a decimal that was promoted.
      case Int128Column c when c.get(0).bitLength() <= 64 -> number = c.get(0).longValue();
      default -> {
        return Optional.empty();
      }
    }
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    TimeUnit unit =
        logical instanceof TimestampLogicalTypeAnnotation timestamp
            ? timestamp.getUnit()
            : logical instanceof TimeLogicalTypeAnnotation time ? time.getUnit() : TimeUnit.MICROS;
    return switch (unit) {
      case MICROS -> Optional.of(number);
      case MILLIS -> number % 1000 == 0 ? Optional.of(number / 1000) : Optional.empty();
      case NANOS -> Optional.empty();
    };
  }

  private static Optional<BloomProbe> ofFloat(float value) {
    if (Float.isNaN(value)) {
      return Optional.empty();
    }
    return value == 0
        ? Optional.of(f -> f.findHash(f.hash(0.0f)) || f.findHash(f.hash(-0.0f)))
        : Optional.of(f -> f.findHash(f.hash(value)));
  }

  private static Optional<BloomProbe> ofDouble(double value) {
    if (Double.isNaN(value)) {
      return Optional.empty();
    }
    return value == 0
        ? Optional.of(f -> f.findHash(f.hash(0.0)) || f.findHash(f.hash(-0.0)))
        : Optional.of(f -> f.findHash(f.hash(value)));
  }

  private static Optional<BloomProbe> fixed(Column value, DataType own, int width) {
    if (!own.isDecimal()) {
      return value instanceof BytesColumn c && c.end(0) - c.start(0) == width
          ? Optional.of(f -> f.findHash(f.hash(Binary.fromConstantByteArray(c.getBytes(0)))))
          : Optional.empty();
    }
    byte[] least =
        switch (value) {
          case LongColumn c -> BigInteger.valueOf(c.get(0)).toByteArray();
          case Int128Column c -> c.get(0).toByteArray();
          default -> new byte[0];
        };
    if (least.length == 0 || least.length > width) {
      return Optional.empty();
    }
    byte[] bytes = new byte[width];
    Arrays.fill(bytes, 0, width - least.length, (byte) (least[0] >> 7));
    System.arraycopy(least, 0, bytes, width - least.length, least.length);
    return Optional.of(f -> f.findHash(f.hash(Binary.fromConstantByteArray(bytes))));
  }
}
