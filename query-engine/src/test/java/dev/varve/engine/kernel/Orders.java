package dev.varve.engine.kernel;

/** The scalar order that tests hold columns against. */
public final class Orders {
  private Orders() {}

  public static int compare(Object a, Object b) {
    return ComparisonOracleTest.order(a, b);
  }
}
