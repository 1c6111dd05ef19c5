package dev.varve.engine.kernel;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Columns of hostile values in every encoding, from a seed. */
public final class RandomColumns {
  public enum Encoding {
    FLAT,
    SLICED,
    DICTIONARY,
    CONSTANT
  }

  public static final List<DataType> TYPES =
      List.of(
          DataType.BOOLEAN,
          DataType.SMALLINT,
          DataType.INTEGER,
          DataType.BIGINT,
          DataType.REAL,
          DataType.DOUBLE,
          DataType.decimal(5, 2),
          DataType.decimal(18, 4),
          DataType.decimal(19, 0),
          DataType.decimal(38, 10),
          DataType.DATE,
          DataType.TIME,
          DataType.TIMESTAMP,
          DataType.TIMESTAMPTZ,
          DataType.INTERVAL_DAY,
          DataType.INTERVAL_MONTH,
          DataType.VARCHAR,
          DataType.VARBINARY,
          DataType.UUID);

  private static final String[] TEXTS = {
    "",
    "a",
    "A",
    "ab",
    "abcdefgh",
    "abcdefghi",
    "abcdefghj",
    "é",
    "日本語",
    "foo_bar",
    "100%",
    "  x ",
    "zzzzzzzzzzzzzzzzzzzz",
    "\u0000",
    "a\u0000",
    "🐘",
    "12",
    "-7.5",
    "true"
  };

  private final Random random;

  public RandomColumns(long seed) {
    this.random = new Random(seed);
  }

  public Random random() {
    return random;
  }

  public Encoding encoding() {
    return Encoding.values()[random.nextInt(Encoding.values().length)];
  }

  /** Small values keep arithmetic in range; hostile ones are at its edges. */
  public Column column(DataType type, int rows, Encoding encoding, boolean nulls, boolean hostile) {
    return switch (encoding) {
      case FLAT -> build(type, values(type, rows, nulls, hostile));
      case SLICED -> build(type, values(type, rows + 7, nulls, hostile)).slice(3, rows);
      case CONSTANT -> new ConstantColumn(build(type, values(type, 1, nulls, hostile)), rows);
      case DICTIONARY -> {
        int entries = 1 + random.nextInt(5);
        Column dictionary = build(type, values(type, entries, false, hostile));
        int[] codes = new int[rows + 2];
        byte[] valid = nulls ? new byte[rows + 2] : null;
        for (int i = 0; i < codes.length; i++) {
          codes[i] = random.nextInt(entries);
          if (valid != null) {
            valid[i] = (byte) (random.nextInt(5) == 0 ? 0 : 1);
          }
        }
        yield new DictionaryColumn(dictionary, codes, 1, rows, valid);
      }
    };
  }

  private static Column build(DataType type, List<@Nullable Object> values) {
    ColumnBuilder builder = ColumnBuilder.of(type, values.size());
    values.forEach(builder::append);
    return builder.build();
  }

  private List<@Nullable Object> values(DataType type, int rows, boolean nulls, boolean hostile) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      values.add(nulls && random.nextInt(5) == 0 ? null : value(type, hostile));
    }
    return values;
  }

  public Object value(DataType type, boolean hostile) {
    return switch (type.kind()) {
      case NULL -> throw new IllegalArgumentException("no values");
      case BOOLEAN -> random.nextBoolean();
      case SMALLINT -> (short) integer(Short.MIN_VALUE, Short.MAX_VALUE, hostile);
      case INTEGER -> (int) integer(Integer.MIN_VALUE, Integer.MAX_VALUE, hostile);
      case BIGINT -> integer(Long.MIN_VALUE, Long.MAX_VALUE, hostile);
      case REAL -> (float) floating(hostile, Float.MAX_VALUE, Float.MIN_VALUE);
      case DOUBLE -> floating(hostile, Double.MAX_VALUE, Double.MIN_VALUE);
      case DECIMAL -> decimal(type, hostile);
      case DATE -> hostile ? random.nextInt(-800_000, 3_000_000) : random.nextInt(20_000);
      case INTERVAL_MONTH -> random.nextInt(-1300, 1300);
      case TIME -> random.nextLong(86_400_000_000L);
      case TIMESTAMP, TIMESTAMPTZ ->
          hostile
              ? random.nextLong(-60_000_000_000_000_000L, 200_000_000_000_000_000L)
              : random.nextLong(2_000_000_000_000_000L);
      case INTERVAL_DAY -> random.nextLong(-10_000_000_000_000L, 10_000_000_000_000L);
      case VARCHAR -> TEXTS[random.nextInt(TEXTS.length)];
      case VARBINARY -> {
        byte[] bytes = new byte[random.nextInt(12)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case UUID -> new UUID(random.nextLong(3), random.nextLong());
    };
  }

  private long integer(long least, long greatest, boolean hostile) {
    if (!hostile) {
      return random.nextInt(-11, 12);
    }
    return switch (random.nextInt(6)) {
      case 0 -> least;
      case 1 -> greatest;
      case 2 -> least + random.nextInt(3);
      case 3 -> greatest - random.nextInt(3);
      case 4 -> random.nextInt(-2, 3);
      default ->
          random.nextLong() >> (63 - Long.numberOfTrailingZeros(Long.highestOneBit(greatest)));
    };
  }

  private double floating(boolean hostile, double greatest, double least) {
    if (!hostile) {
      return random.nextInt(-8, 9) / 4.0;
    }
    double[] edges = {
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      0.0,
      -0.0,
      greatest,
      -greatest,
      least,
      1,
      -1,
      0.1,
      1e15,
      1e-5,
      2.5,
      -2.5
    };
    return random.nextInt(3) > 0
        ? edges[random.nextInt(edges.length)]
        : random.nextGaussian() * 1000;
  }

  private BigDecimal decimal(DataType type, boolean hostile) {
    int digits = hostile ? 1 + random.nextInt(type.precision()) : Math.min(3, type.precision());
    BigInteger limit = BigInteger.TEN.pow(digits);
    BigInteger unscaled =
        hostile && random.nextInt(4) == 0
            ? limit.subtract(BigInteger.ONE)
            : new BigInteger(digits * 4 + 8, random).mod(limit);
    return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), type.scale());
  }
}
