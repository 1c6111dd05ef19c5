package dev.varve.engine.kernel.agg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sums in 64 bits and what becomes of them against BigInteger. */
class ExactSumTest {
  private static final int GROUPS = 5;
  private static final DataType RESULT = DataType.decimal(38, 0);

  /** Magnitudes that stay narrow, that pass 62 bits after some batches, and that need 128. */
  private static final int[] BITS = {10, 40, 55, 61, 63, 64, 100, 120};

  private static BigInteger value(Random random, int bits) {
    BigInteger value = new BigInteger(1 + random.nextInt(bits), random);
    return random.nextInt(3) == 0 ? value.negate() : value;
  }

  private static DataType type(int bits) {
    return bits <= 31 ? DataType.INTEGER : bits <= 63 ? DataType.BIGINT : RESULT;
  }

  private static Object boxed(DataType type, BigInteger value) {
    return switch (type.kind()) {
      case INTEGER -> value.intValue();
      case BIGINT -> value.longValue();
      default -> new BigDecimal(value);
    };
  }

  @Test
  void sumsAreExactWhetherNarrowOrWide() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      ExactSumAccumulator sums = new ExactSumAccumulator(RESULT, 0, false);
      ExactSumAccumulator merged = new ExactSumAccumulator(RESULT, 0, false);
      sums.resize(GROUPS);
      merged.resize(GROUPS);
      @Nullable BigInteger[] oracle = new BigInteger[GROUPS];
      int mostBits = BITS[random.nextInt(BITS.length)];
      for (int batch = 0; batch < 12; batch++) {
        DataType type = type(1 + random.nextInt(mostBits));
        int bits =
            switch (type.kind()) {
              case INTEGER -> 31;
              case BIGINT -> Math.min(63, mostBits);
              default -> mostBits;
            };
        int rows = random.nextInt(50);
        int[] groups = new int[rows];
        ColumnBuilder builder = ColumnBuilder.of(type, rows);
        for (int i = 0; i < rows; i++) {
          groups[i] = random.nextInt(GROUPS);
          if (random.nextInt(6) == 0) {
            builder.appendNull();
          } else {
            BigInteger value = value(random, bits);
            builder.append(boxed(type, value));
            BigInteger before = oracle[groups[i]];
            oracle[groups[i]] = before == null ? value : before.add(value);
          }
        }
        sums.update(groups, rows, new Column[] {builder.build()});
        if (random.nextInt(4) == 0) {
          // What was summed goes on as states, and the sums start anew.
          merged.merge(new int[] {0, 1, 2, 3, 4}, GROUPS, sums.state(0, GROUPS));
          sums.clear();
          assertThat(sums.varyingBytes()).isZero();
        }
      }
      merged.merge(new int[] {0, 1, 2, 3, 4}, GROUPS, sums.state(0, GROUPS));
      Column result = merged.result(0, GROUPS);
      for (int g = 0; g < GROUPS; g++) {
        Object value = result.value(g);
        BigInteger right = oracle[g];
        assertThat(value == null ? null : ((BigDecimal) value).toBigIntegerExact())
            .as("seed %d, group %d", seed, g)
            .isEqualTo(right);
      }
    }
  }

  @Test
  void onlyAFinalValueOutOfRangeIsAnError() {
    ExactSumAccumulator sums = new ExactSumAccumulator(DataType.BIGINT, 0, false);
    sums.resize(1);
    Column large = ColumnBuilder.of(DataType.BIGINT, 1).append(Long.MAX_VALUE).build();
    Column back = ColumnBuilder.of(DataType.BIGINT, 1).append(-Long.MAX_VALUE).build();
    int[] group = {0};
    sums.update(group, 1, new Column[] {large});
    sums.update(group, 1, new Column[] {large});
    assertThatThrownBy(() -> sums.result(0, 1))
        .isInstanceOf(VarveException.class)
        .hasMessageContaining("out of range");
    sums.update(group, 1, new Column[] {back});
    assertThat(sums.result(0, 1).value(0)).isEqualTo(Long.MAX_VALUE);
    Column least = ColumnBuilder.of(DataType.BIGINT, 1).append(Long.MIN_VALUE).build();
    sums.clear();
    sums.update(group, 1, new Column[] {least});
    assertThat(sums.result(0, 1).value(0)).isEqualTo(Long.MIN_VALUE);
  }
}
