package dev.varve.engine.expr;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;

/** Which casts keep order, and which keep distinct values apart. */
final class CastOrder {
  private CastOrder() {}

  static Monotonicity of(DataType from, DataType to) {
    if (from.equals(to)) {
      return Monotonicity.STRICTLY_INCREASING;
    }
    return switch (from.kind()) {
      case BOOLEAN -> to.isInteger() ? Monotonicity.STRICTLY_INCREASING : Monotonicity.NONE;
      case SMALLINT, INTEGER, BIGINT -> fromInteger(from, to);
      case REAL, DOUBLE -> fromFloating(from, to);
      case DECIMAL -> fromDecimal(from, to);
      case DATE ->
          to.kind() == TypeKind.TIMESTAMP ? Monotonicity.STRICTLY_INCREASING : Monotonicity.NONE;
      case TIMESTAMP -> to.kind() == TypeKind.DATE ? Monotonicity.INCREASING : Monotonicity.NONE;
      // Local time runs back when summer time ends, so no cast that passes through a zone keeps
      // order; text orders numbers and dates by their digits.
      case TIMESTAMPTZ, TIME, INTERVAL_DAY, INTERVAL_MONTH, VARCHAR, VARBINARY, UUID, NULL ->
          Monotonicity.NONE;
    };
  }

  private static Monotonicity fromInteger(DataType from, DataType to) {
    return switch (to.kind()) {
      // A narrowing cast fails rather than wraps, so what it returns is the same number.
      case SMALLINT, INTEGER, BIGINT, DECIMAL -> Monotonicity.STRICTLY_INCREASING;
      case DOUBLE ->
          from.kind() == TypeKind.BIGINT
              ? Monotonicity.INCREASING
              : Monotonicity.STRICTLY_INCREASING;
      case REAL ->
          from.kind() == TypeKind.SMALLINT
              ? Monotonicity.STRICTLY_INCREASING
              : Monotonicity.INCREASING;
      default -> Monotonicity.NONE;
    };
  }

  private static Monotonicity fromFloating(DataType from, DataType to) {
    return switch (to.kind()) {
      case DOUBLE -> Monotonicity.STRICTLY_INCREASING;
      case REAL, SMALLINT, INTEGER, BIGINT, DECIMAL -> Monotonicity.INCREASING;
      default -> Monotonicity.NONE;
    };
  }

  private static Monotonicity fromDecimal(DataType from, DataType to) {
    return switch (to.kind()) {
      case DECIMAL ->
          to.scale() >= from.scale() ? Monotonicity.STRICTLY_INCREASING : Monotonicity.INCREASING;
      case SMALLINT, INTEGER, BIGINT ->
          from.scale() == 0 ? Monotonicity.STRICTLY_INCREASING : Monotonicity.INCREASING;
      case REAL, DOUBLE -> Monotonicity.INCREASING;
      default -> Monotonicity.NONE;
    };
  }
}
