package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Random columns of every type with few distinct values, nulls, odd values and all encodings. */
final class RandomData {
  static final List<DataType> TYPES =
      List.of(
          DataType.BOOLEAN,
          DataType.SMALLINT,
          DataType.INTEGER,
          DataType.BIGINT,
          DataType.REAL,
          DataType.DOUBLE,
          DataType.decimal(9, 2),
          DataType.decimal(30, 4),
          DataType.DATE,
          DataType.TIMESTAMP,
          DataType.VARCHAR,
          DataType.VARBINARY,
          DataType.UUID);

  private final Random random;

  RandomData(long seed) {
    this.random = new Random(seed);
  }

  Random random() {
    return random;
  }

  DataType type() {
    return TYPES.get(random.nextInt(TYPES.size()));
  }

  Schema schema(DataType... types) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < types.length; i++) {
      fields.add(Field.of("c" + i, types[i]));
    }
    return new Schema(fields);
  }

  @Nullable Object value(DataType type, int distinct) {
    if (random.nextInt(8) == 0) {
      return null;
    }
    int n = random.nextInt(distinct) - distinct / 2;
    return switch (type.kind()) {
      case NULL -> null;
      case BOOLEAN -> n % 2 == 0;
      case SMALLINT -> (short) (n == 1 ? Short.MAX_VALUE : n);
      case INTEGER -> n == 1 ? Integer.MIN_VALUE : n;
      case BIGINT -> n == 1 ? Long.MAX_VALUE : n == 2 ? Long.MIN_VALUE : (long) n;
      case REAL ->
          switch (n) {
            case 1 -> Float.NaN;
            case 2 -> -0.0f;
            case 3 -> Float.NEGATIVE_INFINITY;
            default -> n / 2f;
          };
      case DOUBLE ->
          switch (n) {
            case 1 -> Double.NaN;
            case 2 -> -0.0;
            case 3 -> Double.POSITIVE_INFINITY;
            default -> n / 4.0;
          };
      case DECIMAL ->
          n == 1
              ? new BigDecimal(
                  BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE), type.scale())
              : BigDecimal.valueOf(n, type.scale());
      case DATE, INTERVAL_MONTH -> n * 100;
      case TIME -> (long) Math.abs(n) * 1000;
      case TIMESTAMP, TIMESTAMPTZ, INTERVAL_DAY -> n * 1_000_000_007L;
      case VARCHAR ->
          switch (n) {
            case 0 -> "";
            case 1 -> "a\0b";
            case 2 -> "a";
            case 3 -> "a\0";
            case -1 -> "a rather long string that shares its beginning";
            case -2 -> "a rather long string that shares its beginnings";
            default -> "é" + n;
          };
      case VARBINARY -> new byte[] {(byte) n, 0, (byte) 0xFF};
      case UUID -> new UUID(n, -n);
    };
  }

  Column column(DataType type, int rows, int distinct) {
    ColumnBuilder builder = ColumnBuilder.of(type, rows);
    switch (random.nextInt(4)) {
      case 0 -> {
        int size = 1 + random.nextInt(4);
        ColumnBuilder dictionary = ColumnBuilder.of(type, size);
        while (dictionary.length() < size) {
          Object value = value(type, distinct);
          if (value != null) {
            dictionary.append(value);
          }
        }
        int[] codes = new int[rows + 2];
        byte[] validity = new byte[rows + 2];
        for (int i = 0; i < codes.length; i++) {
          codes[i] = random.nextInt(size);
          validity[i] = (byte) (random.nextInt(8) == 0 ? 0 : 1);
        }
        return new DictionaryColumn(
            dictionary.build(), codes, 1, rows, random.nextBoolean() ? validity : null);
      }
      case 1 -> {
        if (random.nextInt(4) == 0) {
          return new ConstantColumn(builder.append(value(type, distinct)).build(), rows);
        }
      }
      default -> {}
    }
    int before = random.nextInt(3);
    for (int i = 0; i < rows + before + 1; i++) {
      builder.append(value(type, distinct));
    }
    return builder.build().slice(before, rows);
  }

  Batch batch(Schema schema, int rows, int distinct) {
    List<Column> columns = new ArrayList<>();
    for (Field field : schema.fields()) {
      columns.add(column(field.type(), rows, distinct));
    }
    return new Batch(schema, columns, rows);
  }

  /** {@code partitions} lists of some batches of 1 to {@code mostRows} rows each. */
  List<List<Batch>> partitions(Schema schema, int partitions, int mostRows, int distinct) {
    List<List<Batch>> all = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      List<Batch> batches = new ArrayList<>();
      for (int b = random.nextInt(5); b > 0; b--) {
        batches.add(batch(schema, 1 + random.nextInt(mostRows), distinct));
      }
      all.add(batches);
    }
    return all;
  }

  static List<List<@Nullable Object>> rows(List<List<Batch>> partitions) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (List<Batch> partition : partitions) {
      for (Batch batch : partition) {
        for (int i = 0; i < batch.rowCount(); i++) {
          rows.add(Harness.row(batch, i));
        }
      }
    }
    return rows;
  }
}
