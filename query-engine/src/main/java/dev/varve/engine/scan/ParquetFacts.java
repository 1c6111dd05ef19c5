package dev.varve.engine.scan;

import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.FileTypes;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.OptionalLong;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of Parquet footers and column indexes as facts. Bounds have the type that was written:
 * they are brought into that of the table. What may have been truncated, may leave out values, or
 * has no order that is known gives no exact bound, or none.
 */
final class ParquetFacts {
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private ParquetFacts() {}

  static ColumnFacts of(ScanColumn column, FileColumn file, ColumnChunkMetaData chunk) {
    OptionalLong size = OptionalLong.of(chunk.getTotalSize());
    Statistics<?> statistics = chunk.getStatistics();
    if (statistics == null) {
      return new ColumnFacts(
          column.id(),
          Bound.UNKNOWN,
          Bound.UNKNOWN,
          OptionalLong.empty(),
          OptionalLong.empty(),
          size);
    }
    OptionalLong nulls =
        !file.optional()
            ? OptionalLong.of(0)
            : statistics.isNumNullsSet() && statistics.getNumNulls() >= 0
                ? OptionalLong.of(statistics.getNumNulls())
                : OptionalLong.empty();
    Bound lower = Bound.UNKNOWN;
    Bound upper = Bound.UNKNOWN;
    if (statistics.hasNonNullValue()) {
      lower = bound(column, file, statistics.getMinBytes());
      upper = bound(column, file, statistics.getMaxBytes());
    }
    return sound(new ColumnFacts(column.id(), lower, upper, nulls, OptionalLong.empty(), size));
  }

  /** Facts of one page; nothing is known where the index contradicts itself. */
  static ColumnFacts ofPage(
      ScanColumn column, FileColumn file, ColumnIndex index, int page, long rows) {
    List<Long> counts = index.getNullCounts();
    long nullCount = counts == null || page >= counts.size() ? -1 : counts.get(page);
    boolean nullPage = index.getNullPages().get(page);
    if (nullPage) {
      // A page of nulls only has as many as rows, if that is counted at all.
      return nullCount >= 0 && nullCount != rows
          ? ColumnFacts.unknown(column.id())
          : new ColumnFacts(
              column.id(),
              Bound.UNKNOWN,
              Bound.UNKNOWN,
              OptionalLong.of(rows),
              OptionalLong.of(0),
              OptionalLong.empty());
    }
    OptionalLong nulls =
        !file.optional()
            ? OptionalLong.of(0)
            : nullCount < 0 || nullCount >= rows
                ? OptionalLong.empty()
                : OptionalLong.of(nullCount);
    return sound(
        new ColumnFacts(
            column.id(),
            bound(column, file, bytes(index.getMinValues().get(page))),
            bound(column, file, bytes(index.getMaxValues().get(page))),
            nulls,
            OptionalLong.empty(),
            OptionalLong.empty()));
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** Bounds that are the wrong way round are none. */
  private static ColumnFacts sound(ColumnFacts facts) {
    EncodedKey lower = key(facts.lower());
    EncodedKey upper = key(facts.upper());
    return lower != null && upper != null && lower.compareTo(upper) > 0
        ? new ColumnFacts(
            facts.fieldId(),
            Bound.UNKNOWN,
            Bound.UNKNOWN,
            facts.nullCount(),
            facts.nanCount(),
            facts.sizeBytes())
        : facts;
  }

  private static @Nullable EncodedKey key(Bound bound) {
    return switch (bound) {
      case Bound.Exact(EncodedKey key) -> key;
      case Bound.Inexact(EncodedKey key) -> key;
      case Bound.Unknown _ -> null;
    };
  }

  /** A value as statistics store it (PLAIN, byte arrays without length), as a bound. */
  private static Bound bound(ScanColumn column, FileColumn file, byte @Nullable [] bytes) {
    if (bytes == null) {
      return Bound.UNKNOWN;
    }
    PrimitiveType type = file.primitive();
    DataType own = FileTypes.tryOf(type).orElse(null);
    DataType target = column.type();
    if (own == null || (own.isDecimal() && own.scale() != target.scale())) {
      return Bound.UNKNOWN;
    }
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN ->
          bytes.length == 1
              ? exact(KeyEncoding.encodeValue(KeyType.BOOLEAN, bytes[0] != 0))
              : Bound.UNKNOWN;
      case INT32 ->
          bytes.length == 4 ? int32(type, own, target, little(bytes).getInt()) : Bound.UNKNOWN;
      case INT64 -> bytes.length == 8 ? int64(type, own, little(bytes).getLong()) : Bound.UNKNOWN;
      case FLOAT -> bytes.length == 4 ? floating(little(bytes).getFloat()) : Bound.UNKNOWN;
      case DOUBLE -> bytes.length == 8 ? floating(little(bytes).getDouble()) : Bound.UNKNOWN;
      // The order of its statistics was never defined.
      case INT96 -> Bound.UNKNOWN;
      case BINARY, FIXED_LEN_BYTE_ARRAY -> binary(own, target, bytes);
    };
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static Bound exact(EncodedKey key) {
    return new Bound.Exact(key);
  }

  /** Writers may leave NaN out, or write it: then it says nothing. Zeros are one value. */
  private static Bound floating(double value) {
    return Double.isNaN(value) ? Bound.UNKNOWN : exact(KeyEncoding.encodeDouble(value));
  }

  private static Bound int32(PrimitiveType type, DataType own, DataType target, int value) {
    if (own.isDecimal()) {
      return exact(KeyEncoding.encodeValue(KeyType.DECIMAL, BigInteger.valueOf(value)));
    }
    if (type.getLogicalTypeAnnotation() instanceof TimeLogicalTypeAnnotation) {
      return exact(KeyEncoding.encodeLong(value * 1000L));
    }
    if (own.kind() == TypeKind.DATE && target.kind() == TypeKind.TIMESTAMP) {
      return exact(KeyEncoding.encodeLong(value * MICROS_PER_DAY));
    }
    boolean unsigned =
        type.getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation i && !i.isSigned();
    return exact(KeyEncoding.encodeLong(unsigned ? Integer.toUnsignedLong(value) : value));
  }

  private static Bound int64(PrimitiveType type, DataType own, long value) {
    if (type.getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation i && !i.isSigned()) {
      return exact(
          KeyEncoding.encodeValue(KeyType.DECIMAL, new BigInteger(Long.toUnsignedString(value))));
    }
    if (own.isDecimal()) {
      return exact(KeyEncoding.encodeValue(KeyType.DECIMAL, BigInteger.valueOf(value)));
    }
    var unit =
        switch (type.getLogicalTypeAnnotation()) {
          case TimestampLogicalTypeAnnotation timestamp -> timestamp.getUnit();
          case TimeLogicalTypeAnnotation time -> time.getUnit();
          case null, default -> null;
        };
    if (unit == null) {
      return exact(KeyEncoding.encodeLong(value));
    }
    return switch (unit) {
      case MILLIS ->
          Math.abs(value) <= Long.MAX_VALUE / 1000
              ? exact(KeyEncoding.encodeLong(value * 1000))
              : Bound.UNKNOWN;
      case MICROS -> exact(KeyEncoding.encodeLong(value));
      // As the values themselves are rounded.
      case NANOS -> exact(KeyEncoding.encodeLong(Math.floorDiv(value, 1000)));
    };
  }

  private static Bound binary(DataType own, DataType target, byte[] bytes) {
    return switch (target.kind()) {
      // Half floats are not worth the care.
      case REAL, DOUBLE -> Bound.UNKNOWN;
      case DECIMAL ->
          bytes.length == 0 || !own.isDecimal()
              ? Bound.UNKNOWN
              : exact(KeyEncoding.encodeValue(KeyType.DECIMAL, new BigInteger(bytes)));
      case UUID -> bytes.length == 16 ? exact(EncodedKey.of(bytes)) : Bound.UNKNOWN;
      // A writer may have cut them, and need not say so.
      default -> new Bound.Inexact(EncodedKey.of(bytes));
    };
  }
}
