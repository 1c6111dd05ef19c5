package dev.varve.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arithmetic against big decimals, row by row, in every encoding. */
class ArithmeticOracleTest {
  private static final int ROWS = 40;

  private record Shape(DataType left, DataType right, DataType result) {}

  private static final List<Shape> EXACT =
      List.of(
          shape(DataType.SMALLINT),
          shape(DataType.INTEGER),
          shape(DataType.BIGINT),
          new Shape(decimal(5, 2), decimal(5, 2), decimal(6, 2)),
          new Shape(decimal(5, 2), decimal(9, 4), decimal(12, 4)),
          new Shape(decimal(15, 2), decimal(15, 2), decimal(18, 4)),
          new Shape(decimal(15, 2), decimal(15, 2), decimal(31, 4)),
          new Shape(decimal(18, 4), decimal(19, 0), decimal(38, 4)),
          new Shape(decimal(38, 10), decimal(38, 10), decimal(38, 10)),
          new Shape(decimal(38, 10), decimal(38, 10), decimal(38, 20)),
          new Shape(decimal(10, 2), decimal(10, 2), decimal(23, 13)));

  private static Shape shape(DataType type) {
    return new Shape(type, type, type);
  }

  private static DataType decimal(int precision, int scale) {
    return DataType.decimal(precision, scale);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void exactArithmeticIsThatOfBigDecimals(long seed) {
    RandomColumns columns = new RandomColumns(seed);
    for (Shape shape : EXACT) {
      for (ArithmeticOp op : ArithmeticOp.values()) {
        for (int round = 0; round < 6; round++) {
          boolean hostile = round > 2;
          int rows = hostile ? 1 + round : ROWS;
          Column left =
              columns.column(shape.left, rows, columns.encoding(), round % 2 == 0, hostile);
          Column right =
              columns.column(shape.right, rows, columns.encoding(), round % 3 != 0, hostile);
          check(op, left, right, shape.result, "seed " + seed + " " + shape + " " + op);
        }
      }
    }
  }

  private static void check(
      ArithmeticOp op, Column left, Column right, DataType type, String what) {
    List<@Nullable Object> expected = new ArrayList<>();
    ErrorCode failure = null;
    for (int i = 0; i < left.length(); i++) {
      Object a = left.value(i);
      Object b = right.value(i);
      if (a == null || b == null) {
        expected.add(null);
        continue;
      }
      Object outcome = oracle(op, new BigDecimal(a.toString()), new BigDecimal(b.toString()), type);
      if (outcome instanceof ErrorCode code) {
        failure = failure == null ? code : failure;
      }
      expected.add(outcome);
    }
    String where = what + "\n" + left + "\n" + right;
    if (failure != null) {
      VarveException thrown =
          catchThrowableOfType(VarveException.class, () -> Arithmetic.apply(op, left, right, type));
      assertThat(thrown).as(where).isNotNull();
      assertThat(expected).as(where).contains(thrown.code());
      return;
    }
    Column result = Arithmetic.apply(op, left, right, type);
    assertThat(result.type()).isEqualTo(type);
    for (int i = 0; i < left.length(); i++) {
      Object value = result.value(i);
      assertThat(value == null ? null : new BigDecimal(value.toString()))
          .as(where + " row " + i)
          .isEqualTo(expected.get(i));
    }
  }

  /** The result at the type's scale, or the error. */
  private static Object oracle(ArithmeticOp op, BigDecimal a, BigDecimal b, DataType type) {
    boolean divides = op == ArithmeticOp.DIVIDE || op == ArithmeticOp.MODULO;
    if (divides && b.signum() == 0) {
      return ErrorCode.DIVISION_BY_ZERO;
    }
    BigDecimal exact =
        switch (op) {
          case ADD -> a.add(b);
          case SUBTRACT -> a.subtract(b);
          case MULTIPLY -> a.multiply(b);
          case DIVIDE ->
              a.divide(
                  b, type.scale(), type.isDecimal() ? RoundingMode.HALF_UP : RoundingMode.DOWN);
          case MODULO -> a.remainder(b);
        };
    BigDecimal result = exact.setScale(type.scale(), RoundingMode.HALF_UP);
    boolean fits =
        switch (type.kind()) {
          case SMALLINT ->
              result.compareTo(new BigDecimal(Short.MAX_VALUE)) <= 0
                  && result.compareTo(new BigDecimal(Short.MIN_VALUE)) >= 0;
          case INTEGER ->
              result.compareTo(new BigDecimal(Integer.MAX_VALUE)) <= 0
                  && result.compareTo(new BigDecimal(Integer.MIN_VALUE)) >= 0;
          case BIGINT ->
              result.compareTo(new BigDecimal(Long.MAX_VALUE)) <= 0
                  && result.compareTo(new BigDecimal(Long.MIN_VALUE)) >= 0;
          default -> result.precision() <= type.precision();
        };
    return fits ? result : ErrorCode.NUMERIC_OUT_OF_RANGE;
  }
}
