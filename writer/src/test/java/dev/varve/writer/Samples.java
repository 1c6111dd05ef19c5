package dev.varve.writer;

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
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes rows of every type, with hostile values. */
public final class Samples {
  public static final List<DataType> TYPES =
      List.of(
          DataType.BOOLEAN,
          DataType.INTEGER,
          DataType.BIGINT,
          DataType.REAL,
          DataType.DOUBLE,
          DataType.decimal(7, 2),
          DataType.decimal(18, 3),
          DataType.decimal(38, 10),
          DataType.DATE,
          DataType.TIME,
          DataType.TIMESTAMP,
          DataType.TIMESTAMPTZ,
          DataType.VARCHAR,
          DataType.VARBINARY,
          DataType.UUID);

  private Samples() {}

  static Schema allTypes() {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < TYPES.size(); i++) {
      fields.add(new Field("c" + i, TYPES.get(i), true, i + 1));
    }
    return new Schema(fields);
  }

  static Batch batch(Schema schema, List<List<@Nullable Object>> rows) {
    List<Column> columns = new ArrayList<>();
    for (int c = 0; c < schema.size(); c++) {
      ColumnBuilder builder = ColumnBuilder.of(schema.type(c), rows.size());
      for (List<@Nullable Object> row : rows) {
        builder.append(row.get(c));
      }
      columns.add(builder.build());
    }
    return new Batch(schema, columns, rows.size());
  }

  /** The same rows with columns as dictionaries or constants where {@code random} says so. */
  public static Batch encoded(Batch batch, Random random) {
    List<Column> columns = new ArrayList<>();
    for (Column column : batch.columns()) {
      columns.add(
          switch (random.nextInt(3)) {
            case 0 -> dictionary(column);
            case 1 -> constantIfPossible(column);
            default -> column;
          });
    }
    return new Batch(batch.schema(), columns, batch.rowCount());
  }

  static Column constantIfPossible(Column column) {
    for (int i = 1; i < column.length(); i++) {
      if (!same(column.value(0), column.value(i))) {
        return column;
      }
    }
    return column.length() == 0
        ? column
        : new ConstantColumn(column.take(new int[] {0}, 1), column.length());
  }

  private static boolean same(@Nullable Object a, @Nullable Object b) {
    return a instanceof byte[] || a == null ? a == b : a.equals(b);
  }

  static Column dictionary(Column column) {
    List<Integer> rows = new ArrayList<>();
    Map<Object, Integer> known = new HashMap<>();
    int[] codes = new int[column.length()];
    byte[] validity = new byte[column.length()];
    boolean nulls = false;
    for (int i = 0; i < column.length(); i++) {
      Object value = column.value(i);
      if (value == null) {
        nulls = true;
        continue;
      }
      validity[i] = 1;
      Object key =
          value instanceof byte[] bytes ? new BigInteger(1, bytes) + "/" + bytes.length : value;
      Integer code = known.get(key);
      if (code == null) {
        code = rows.size();
        known.put(key, code);
        rows.add(i);
      }
      codes[i] = code;
    }
    if (rows.isEmpty()) {
      return column;
    }
    Column entries = column.take(rows.stream().mapToInt(Integer::intValue).toArray(), rows.size());
    return new DictionaryColumn(entries, codes, 0, codes.length, nulls ? validity : null);
  }

  public static Batch batch(Schema schema, Random random, int count) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(schema, random));
    }
    return batch(schema, rows);
  }

  static @Nullable Object value(DataType type, Random random) {
    if (random.nextInt(8) == 0) {
      return null;
    }
    boolean extreme = random.nextInt(6) == 0;
    return switch (type.kind()) {
      case BOOLEAN -> random.nextBoolean();
      case SMALLINT -> (short) random.nextInt();
      case INTEGER ->
          extreme
              ? (random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE)
              : random.nextInt(1000) - 500;
      case BIGINT ->
          extreme
              ? (random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE)
              : random.nextLong(1L << 40);
      case REAL ->
          extreme
              ? new float[] {
                    Float.NaN,
                    -0.0f,
                    0.0f,
                    Float.NEGATIVE_INFINITY,
                    Float.POSITIVE_INFINITY,
                    Float.MIN_VALUE
                  }
                  [random.nextInt(6)]
              : random.nextInt(100) / 4f - 10;
      case DOUBLE ->
          extreme
              ? new double[] {
                    Double.NaN,
                    -0.0,
                    0.0,
                    Double.NEGATIVE_INFINITY,
                    Double.MAX_VALUE,
                    Double.MIN_VALUE
                  }
                  [random.nextInt(6)]
              : random.nextGaussian();
      case DECIMAL -> {
        BigInteger limit = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
        BigInteger unscaled = extreme ? limit : new BigInteger(limit.bitLength() - 1, random);
        yield new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), type.scale());
      }
      case DATE -> LocalDate.ofEpochDay(extreme ? -719162 : random.nextInt(20000));
      case TIME ->
          LocalTime.ofNanoOfDay(
              extreme ? 86_399_999_999_000L : random.nextLong(86_400_000_000L) * 1000);
      case TIMESTAMP ->
          LocalDateTime.of(
              extreme ? 1 : 1969 + random.nextInt(5),
              1 + random.nextInt(12),
              2,
              3,
              4,
              5,
              random.nextInt(1_000_000) * 1000);
      case TIMESTAMPTZ ->
          Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000) * 1000L);
      case VARCHAR ->
          extreme
              ? new String[] {
                    "", "\u0000", "\uD83D\uDE00".repeat(30), "ä".repeat(40), "z".repeat(300)
                  }
                  [random.nextInt(5)]
              : "value-" + random.nextInt(50);
      case VARBINARY -> {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        if (extreme) {
          bytes = new byte[100];
          java.util.Arrays.fill(bytes, (byte) 0xFF);
        }
        yield bytes;
      }
      case UUID -> new UUID(random.nextLong(), random.nextLong());
      case NULL, INTERVAL_DAY, INTERVAL_MONTH -> throw new IllegalStateException();
    };
  }

  static List<@Nullable Object> row(Schema schema, Random random) {
    List<@Nullable Object> row = new ArrayList<>();
    for (Field field : schema.fields()) {
      row.add(value(field.type(), random));
    }
    return row;
  }
}
