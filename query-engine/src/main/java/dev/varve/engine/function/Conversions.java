package dev.varve.engine.function;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conversions that happen without a cast, as PostgreSQL has them: towards wider numbers, from
 * date to timestamp, and from untyped literals to anything. Text never becomes a number.
 */
public final class Conversions {
  /** No conversion. */
  static final int IMPOSSIBLE = -1;

  private Conversions() {}

  /** How far {@code to} is from {@code from}; among overloads the nearest wins. */
  static int cost(DataType from, TypeKind to) {
    if (from.kind() == to) {
      return 0;
    }
    return switch (from.kind()) {
      case NULL -> to == TypeKind.VARCHAR ? 1 : to == TypeKind.DOUBLE ? 2 : 3;
      case SMALLINT ->
          switch (to) {
            case INTEGER -> 1;
            case BIGINT -> 2;
            case DOUBLE -> 3;
            case DECIMAL -> 5;
            case REAL -> 6;
            default -> IMPOSSIBLE;
          };
      case INTEGER ->
          switch (to) {
            case BIGINT -> 1;
            case DOUBLE -> 3;
            case DECIMAL -> 5;
            case REAL -> 6;
            default -> IMPOSSIBLE;
          };
      case BIGINT ->
          switch (to) {
            case DOUBLE -> 3;
            case DECIMAL -> 5;
            case REAL -> 6;
            default -> IMPOSSIBLE;
          };
      case DECIMAL -> to == TypeKind.DOUBLE ? 3 : to == TypeKind.REAL ? 6 : IMPOSSIBLE;
      case REAL -> to == TypeKind.DOUBLE ? 1 : IMPOSSIBLE;
      case DATE -> to == TypeKind.TIMESTAMP ? 1 : to == TypeKind.TIMESTAMPTZ ? 2 : IMPOSSIBLE;
      case TIMESTAMP -> to == TypeKind.TIMESTAMPTZ ? 2 : IMPOSSIBLE;
      default -> IMPOSSIBLE;
    };
  }

  /** The type that a value of {@code from} gets where a parameter of kind {@code to} is asked. */
  static DataType converted(DataType from, TypeKind to) {
    if (from.kind() == to) {
      return from;
    }
    return to == TypeKind.DECIMAL ? asDecimal(from) : simple(to);
  }

  /** The decimal that holds every value of an integer type. */
  public static DataType asDecimal(DataType type) {
    return switch (type.kind()) {
      case DECIMAL -> type;
      case SMALLINT -> DataType.decimal(5, 0);
      case INTEGER -> DataType.decimal(10, 0);
      case BIGINT -> DataType.decimal(19, 0);
      default -> DataType.decimal(DataType.MAX_DECIMAL_PRECISION, 10);
    };
  }

  static DataType simple(TypeKind kind) {
    return new DataType(kind, 0, 0);
  }

  /**
   * The type in which values of all these types meet (CASE, COALESCE, GREATEST, comparison): null
   * if there is none. Untyped literals take the others' type, and are text among themselves.
   */
  public static @Nullable DataType common(List<DataType> types) {
    DataType result = DataType.NULL;
    for (DataType type : types) {
      DataType next = common(result, type);
      if (next == null) {
        return null;
      }
      result = next;
    }
    return result;
  }

  /** {@link #common(List)} of two types. */
  public static @Nullable DataType common(DataType left, DataType right) {
    if (left.equals(right) || right.kind() == TypeKind.NULL) {
      return left;
    }
    if (left.kind() == TypeKind.NULL) {
      return right;
    }
    if (left.isNumeric() && right.isNumeric()) {
      return commonNumber(left, right);
    }
    int toRight = cost(left, right.kind());
    if (toRight >= 0) {
      return right;
    }
    return cost(right, left.kind()) >= 0 ? left : null;
  }

  private static DataType commonNumber(DataType left, DataType right) {
    if (left.isFloating() || right.isFloating()) {
      // A real beside anything but a smallint would lose digits: PostgreSQL widens it.
      boolean real =
          (left.kind() == TypeKind.REAL && right.kind() == TypeKind.SMALLINT)
              || (right.kind() == TypeKind.REAL && left.kind() == TypeKind.SMALLINT)
              || (left.kind() == TypeKind.REAL && right.kind() == TypeKind.REAL);
      return real ? DataType.REAL : DataType.DOUBLE;
    }
    if (left.isDecimal() || right.isDecimal()) {
      DataType a = asDecimal(left);
      DataType b = asDecimal(right);
      int scale = Math.max(a.scale(), b.scale());
      int whole = Math.max(a.precision() - a.scale(), b.precision() - b.scale());
      int precision = Math.min(DataType.MAX_DECIMAL_PRECISION, whole + scale);
      return DataType.decimal(precision, Math.min(scale, precision));
    }
    return left.kind().compareTo(right.kind()) >= 0 ? left : right;
  }
}
