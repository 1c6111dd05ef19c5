package dev.varve.engine.expr;

/** An output column of a projection. */
public record NamedExpr(PhysicalExpr expr, String name) {
  @Override
  public String toString() {
    return expr + " as " + name;
  }
}
