package dev.varve.engine.scan;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Optional;
import java.util.UUID;

/** Between the engine's values and the encoded keys in which facts are kept. */
final class ColumnKeys {
  /** Above every number; a bound that is NaN says nothing. */
  static final EncodedKey NAN = KeyEncoding.encodeDouble(Double.NaN);

  private ColumnKeys() {}

  /** Empty for types that are never stored. */
  static Optional<KeyType> type(DataType type) {
    return switch (type.kind()) {
      case BOOLEAN -> Optional.of(KeyType.BOOLEAN);
      case SMALLINT, INTEGER, BIGINT, DATE, TIME, TIMESTAMP, TIMESTAMPTZ ->
          Optional.of(KeyType.INTEGRAL);
      case REAL, DOUBLE -> Optional.of(KeyType.FLOATING);
      case DECIMAL -> Optional.of(KeyType.DECIMAL);
      case VARCHAR -> Optional.of(KeyType.STRING);
      case VARBINARY -> Optional.of(KeyType.BINARY);
      case UUID -> Optional.of(KeyType.UUID);
      case NULL, INTERVAL_DAY, INTERVAL_MONTH -> Optional.empty();
    };
  }

  /** The value of a row, which is not null, as a column bound. */
  static EncodedKey encode(Column column, int row) {
    return switch (column) {
      case DictionaryColumn c -> encode(c.dictionary(), c.codes()[c.offset() + row]);
      case ConstantColumn c -> encode(c.single(), 0);
      case BooleanColumn c -> KeyEncoding.encodeValue(KeyType.BOOLEAN, c.get(row) != 0);
      case IntColumn c -> KeyEncoding.encodeLong(c.get(row));
      case LongColumn c ->
          c.type().isDecimal()
              ? KeyEncoding.encodeValue(KeyType.DECIMAL, BigInteger.valueOf(c.get(row)))
              : KeyEncoding.encodeLong(c.get(row));
      case Int128Column c -> KeyEncoding.encodeValue(KeyType.DECIMAL, c.get(row));
      case FloatColumn c -> KeyEncoding.encodeDouble(c.get(row));
      case DoubleColumn c -> KeyEncoding.encodeDouble(c.get(row));
      case BytesColumn c -> EncodedKey.of(c.data(), c.start(row), c.end(row) - c.start(row));
    };
  }

  /** The value of an untruncated key, as {@link Column#value} gives it. */
  static Object value(DataType type, EncodedKey key) {
    Object value =
        KeyEncoding.decodeValue(
            type(type).orElseThrow(() -> new IllegalStateException("a key of type " + type)), key);
    return value(type, value);
  }

  /** From the form of a decoded key to that of {@link Column#value}. */
  static Object value(DataType type, Object decoded) {
    return switch (type.kind()) {
      case SMALLINT -> ((Long) decoded).shortValue();
      case INTEGER -> ((Long) decoded).intValue();
      case DATE -> LocalDate.ofEpochDay((Long) decoded);
      case TIME -> LocalTime.ofNanoOfDay((Long) decoded * 1000);
      case TIMESTAMP, TIMESTAMPTZ ->
          java.util.Objects.requireNonNull(
              new LongColumn(type, new long[] {(Long) decoded}, null).value(0));
      case REAL -> ((Double) decoded).floatValue();
      case DECIMAL -> new BigDecimal((BigInteger) decoded, type.scale());
      case BOOLEAN, BIGINT, DOUBLE, VARCHAR, VARBINARY -> decoded;
      case UUID -> (UUID) decoded;
      case NULL, INTERVAL_DAY, INTERVAL_MONTH ->
          throw new IllegalStateException("a key of type " + type);
    };
  }
}
