package dev.varve.engine.kernel;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;

/**
 * Arithmetic on columns. Results that do not fit their type and divisions by zero are errors, but
 * only in rows where no operand is null.
 */
public final class Arithmetic {
  private Arithmetic() {}

  public static Column apply(ArithmeticOp op, Column left, Column right, DataType type) {
    int n = left.length();
    boolean leftConstant = left instanceof ConstantColumn;
    boolean rightConstant = right instanceof ConstantColumn;
    if ((leftConstant && left.mayHaveNulls()) || (rightConstant && right.mayHaveNulls())) {
      return ConstantColumn.nulls(type, n);
    }
    if (left instanceof ConstantColumn a && right instanceof ConstantColumn b) {
      return new ConstantColumn(flat(op, a.single(), b.single(), type), n);
    }
    if (left instanceof DictionaryColumn dictionary && rightConstant) {
      return Dictionaries.map(
          dictionary, entries -> flat(op, entries, resized(right, entries.length()), type));
    }
    if (right instanceof DictionaryColumn dictionary && leftConstant) {
      return Dictionaries.map(
          dictionary, entries -> flat(op, resized(left, entries.length()), entries, type));
    }
    return flat(op, left, right, type);
  }

  private static Column resized(Column constant, int length) {
    return new ConstantColumn(((ConstantColumn) constant).single(), length);
  }

  private static Column flat(ArithmeticOp op, Column left, Column right, DataType type) {
    return switch (type.kind()) {
      case SMALLINT, INTEGER -> IntArithmetic.apply(op, Flats.ints(left), Flats.ints(right), type);
      case BIGINT -> LongArithmetic.apply(op, Flats.longs(left), Flats.longs(right), type);
      case REAL, DOUBLE -> FloatingArithmetic.apply(op, left, right, type);
      case DECIMAL -> DecimalArithmetic.apply(op, left, right, type);
      case INTERVAL_DAY -> LongArithmetic.apply(op, Flats.longs(left), Flats.longs(right), type);
      case INTERVAL_MONTH -> IntArithmetic.apply(op, Flats.ints(left), Flats.ints(right), type);
      default -> throw new IllegalStateException("arithmetic on " + type);
    };
  }

  public static Column negate(Column column) {
    if (column instanceof ConstantColumn constant) {
      return new ConstantColumn(negateFlat(constant.single()), column.length());
    }
    if (column instanceof DictionaryColumn dictionary) {
      return Dictionaries.map(dictionary, Arithmetic::negateFlat);
    }
    return negateFlat(column);
  }

  private static Column negateFlat(Column column) {
    DataType type = column.type();
    return switch (type.physical()) {
      case INT -> IntArithmetic.negate(Flats.ints(column));
      case LONG ->
          type.isDecimal()
              ? DecimalArithmetic.negate(column)
              : LongArithmetic.negate(Flats.longs(column));
      case INT128 -> DecimalArithmetic.negate(column);
      case FLOAT, DOUBLE -> FloatingArithmetic.negate(column);
      case BOOLEAN, BYTES -> throw new IllegalStateException("the negative of " + type);
    };
  }

  static VarveException outOfRange(DataType type, String computation) {
    boolean instant = !type.isNumeric();
    return new VarveException(
        instant ? ErrorCode.DATETIME_OUT_OF_RANGE : ErrorCode.NUMERIC_OUT_OF_RANGE,
        type + " out of range: " + computation);
  }

  static VarveException divisionByZero(String computation) {
    return new VarveException(ErrorCode.DIVISION_BY_ZERO, "division by zero: " + computation);
  }
}
