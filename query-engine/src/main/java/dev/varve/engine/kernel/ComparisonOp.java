package dev.varve.engine.kernel;

/** Comparisons; the last two treat null as a value of its own and are never null themselves. */
public enum ComparisonOp {
  EQ("="),
  NE("<>"),
  LT("<"),
  LE("<="),
  GT(">"),
  GE(">="),
  IS_DISTINCT("IS DISTINCT FROM"),
  IS_NOT_DISTINCT("IS NOT DISTINCT FROM");

  private final String symbol;

  ComparisonOp(String symbol) {
    this.symbol = symbol;
  }

  public String symbol() {
    return symbol;
  }

  public boolean isNullSafe() {
    return this == IS_DISTINCT || this == IS_NOT_DISTINCT;
  }

  /** {@code a op b} is {@code b op.swap() a}. */
  public ComparisonOp swap() {
    return switch (this) {
      case LT -> GT;
      case LE -> GE;
      case GT -> LT;
      case GE -> LE;
      case EQ, NE, IS_DISTINCT, IS_NOT_DISTINCT -> this;
    };
  }

  /** {@code NOT (a op b)} is {@code a op.negate() b}, nulls included. */
  public ComparisonOp negate() {
    return switch (this) {
      case EQ -> NE;
      case NE -> EQ;
      case LT -> GE;
      case LE -> GT;
      case GT -> LE;
      case GE -> LT;
      case IS_DISTINCT -> IS_NOT_DISTINCT;
      case IS_NOT_DISTINCT -> IS_DISTINCT;
    };
  }
}
