package dev.varve.engine.kernel;

/** Arithmetic on two numbers. */
public enum ArithmeticOp {
  ADD("+"),
  SUBTRACT("-"),
  MULTIPLY("*"),
  DIVIDE("/"),
  MODULO("%");

  private final String symbol;

  ArithmeticOp(String symbol) {
    this.symbol = symbol;
  }

  public String symbol() {
    return symbol;
  }
}
