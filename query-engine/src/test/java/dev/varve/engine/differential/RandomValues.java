package dev.varve.engine.differential;

import dev.varve.engine.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.UUID;

/** Values of every type: few and equal ones for keys, and the extremes. */
final class RandomValues {
  private static final String[] TEXTS = {
    "",
    "a",
    "A",
    "b",
    "ab",
    "abc",
    "aB",
    "a b",
    "ä",
    "ß",
    "zebra",
    "%",
    "a%c",
    "_",
    "a_c",
    "foo",
    "foobar",
    "barfoo",
    " a",
    "a ",
    "0",
    "10",
    "9",
    "'",
    "日本",
    "aaaaaaaaaaaaaaaaaaaaaaaa1",
    "aaaaaaaaaaaaaaaaaaaaaaaa2",
    "aaaaaaaaaaaaaaaaaaaaaaaa",
    "\uDBFF\uDFFF"
  };
  private static final double[] WILD_DOUBLES = {
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    0.0,
    -0.0,
    1e300,
    -1e300,
    Double.MIN_VALUE,
    Double.MAX_VALUE,
    1.0,
    -1.5,
    9007199254740993.0
  };
  private static final float[] WILD_FLOATS = {
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    0.0f,
    -0.0f,
    1e30f,
    -1e30f,
    Float.MIN_VALUE,
    Float.MAX_VALUE,
    1.0f,
    -1.5f
  };
  static final int TAME = 100;

  private final Random random;

  RandomValues(Random random) {
    this.random = random;
  }

  /** A value within {@link #TAME}, from few: joins and groups meet. */
  Object tame(DataType type) {
    return switch (type.kind()) {
      case BOOLEAN -> random.nextBoolean();
      case SMALLINT, INTEGER -> small();
      case BIGINT -> (long) small();
      case REAL -> small() / 4f;
      case DOUBLE -> small() / 4.0;
      case DECIMAL ->
          // As many digits after the point as the type has, often zeros.
          type.precision() - type.scale() >= 3
              ? BigDecimal.valueOf(small() * 25L, 2)
                  .setScale(type.scale(), java.math.RoundingMode.DOWN)
              : new BigDecimal(BigInteger.valueOf(random.nextInt(100)), type.scale());
      case DATE -> LocalDate.of(1995, 1, 1).plusDays(days());
      case TIME -> LocalTime.of(random.nextInt(24), random.nextInt(4) * 15, random.nextInt(3));
      case TIMESTAMP -> moment();
      case TIMESTAMPTZ -> moment().toInstant(ZoneOffset.UTC);
      case VARCHAR -> TEXTS[random.nextInt(random.nextBoolean() ? 8 : TEXTS.length)];
      case VARBINARY ->
          TEXTS[random.nextInt(TEXTS.length)].getBytes(java.nio.charset.StandardCharsets.UTF_8);
      case UUID -> new UUID(random.nextInt(3) - 1L, random.nextInt(4) - 2L);
      case NULL, INTERVAL_DAY, INTERVAL_MONTH -> throw new IllegalArgumentException("" + type);
    };
  }

  /** Any value of the type, often an extreme one. */
  Object wild(DataType type) {
    if (random.nextInt(3) == 0) {
      return tame(type);
    }
    return switch (type.kind()) {
      case SMALLINT -> pick((int) Short.MIN_VALUE, (int) Short.MAX_VALUE, 0, -1, 255);
      case INTEGER -> pick(Integer.MIN_VALUE, Integer.MAX_VALUE, 0, -1, random.nextInt());
      case BIGINT ->
          pick(
              Long.MIN_VALUE, Long.MAX_VALUE, 0L, -1L, 1L << 53, (1L << 53) + 1, random.nextLong());
      case REAL -> WILD_FLOATS[random.nextInt(WILD_FLOATS.length)];
      case DOUBLE -> WILD_DOUBLES[random.nextInt(WILD_DOUBLES.length)];
      case DECIMAL -> {
        BigInteger most = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
        yield new BigDecimal(
            pick(most, most.negate(), BigInteger.ZERO, BigInteger.ONE, BigInteger.ONE.negate()),
            type.scale());
      }
      case DATE ->
          pick(
              LocalDate.of(1, 1, 1),
              LocalDate.of(9999, 12, 31),
              LocalDate.of(1969, 12, 31),
              LocalDate.of(1970, 1, 1),
              LocalDate.of(2000, 2, 29),
              LocalDate.of(1582, 10, 10));
      case TIME -> pick(LocalTime.MIN, LocalTime.of(23, 59, 59, 999_999_000), LocalTime.NOON);
      case TIMESTAMP -> wildMoment();
      case TIMESTAMPTZ -> wildMoment().toInstant(ZoneOffset.UTC);
      case VARCHAR ->
          random.nextInt(5) == 0
              ? "a".repeat(random.nextInt(70))
              : TEXTS[random.nextInt(TEXTS.length)];
      case BOOLEAN, VARBINARY, UUID -> tame(type);
      case NULL, INTERVAL_DAY, INTERVAL_MONTH -> throw new IllegalArgumentException("" + type);
    };
  }

  private int small() {
    return random.nextInt(4) == 0 ? random.nextInt(2 * TAME) - TAME : random.nextInt(9);
  }

  private int days() {
    return random.nextBoolean() ? random.nextInt(6) : random.nextInt(4000);
  }

  private LocalDateTime moment() {
    LocalDateTime time = LocalDate.of(1995, 1, 1).plusDays(days()).atTime(random.nextInt(24), 0);
    return random.nextBoolean() ? time : time.plusNanos(random.nextInt(4000) * 1_000_000L + 1000);
  }

  private LocalDateTime wildMoment() {
    return pick(
        LocalDateTime.of(1, 1, 1, 0, 0),
        LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_000),
        LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
        LocalDateTime.of(1970, 1, 1, 0, 0),
        LocalDateTime.of(2016, 12, 31, 23, 59, 59),
        LocalDateTime.ofInstant(Instant.ofEpochSecond(random.nextInt()), ZoneOffset.UTC));
  }

  @SafeVarargs
  private <T> T pick(T... values) {
    return values[random.nextInt(values.length)];
  }
}
