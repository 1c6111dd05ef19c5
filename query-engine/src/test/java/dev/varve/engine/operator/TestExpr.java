package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.type.DataType;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A function of boxed values, so that operators are tested without the engine's own functions. */
record TestExpr(
    String name,
    DataType type,
    List<PhysicalExpr> children,
    boolean mayFail,
    Volatility ownVolatility,
    Function<List<@Nullable Object>, @Nullable Object> function)
    implements PhysicalExpr {

  static TestExpr lessThan(PhysicalExpr left, PhysicalExpr right) {
    return new TestExpr(
        "less_than",
        DataType.BOOLEAN,
        List.of(left, right),
        false,
        Volatility.IMMUTABLE,
        v -> v.get(0) == null || v.get(1) == null ? null : number(v, 0) < number(v, 1));
  }

  static TestExpr modulo(PhysicalExpr value, long divisor) {
    return new TestExpr(
        "modulo" + divisor,
        DataType.BIGINT,
        List.of(value),
        false,
        Volatility.IMMUTABLE,
        v -> v.get(0) == null ? null : number(v, 0) % divisor);
  }

  static TestExpr equal(PhysicalExpr value, long wanted) {
    return new TestExpr(
        "equals" + wanted,
        DataType.BOOLEAN,
        List.of(value),
        false,
        Volatility.IMMUTABLE,
        v -> v.get(0) == null ? null : number(v, 0) == wanted);
  }

  private static long number(List<@Nullable Object> values, int index) {
    return ((Number) java.util.Objects.requireNonNull(values.get(index))).longValue();
  }

  TestExpr thatMayFail() {
    return new TestExpr(name, type, children, true, ownVolatility, function);
  }

  TestExpr thatIsVolatile() {
    return new TestExpr(name, type, children, mayFail, Volatility.VOLATILE, function);
  }

  @Override
  public boolean fallible() {
    return mayFail || PhysicalExpr.super.fallible();
  }

  @Override
  public Volatility volatility() {
    return ownVolatility.weakest(PhysicalExpr.super.volatility());
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> other) {
    return new TestExpr(name, type, List.copyOf(other), mayFail, ownVolatility, function);
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    List<Column> columns = children.stream().map(c -> c.evaluate(batch, context)).toList();
    ColumnBuilder builder = ColumnBuilder.of(type, batch.rowCount());
    for (int i = 0; i < batch.rowCount(); i++) {
      List<@Nullable Object> values = new java.util.ArrayList<>();
      for (Column column : columns) {
        values.add(column.value(i));
      }
      builder.append(function.apply(values));
    }
    return builder.build();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TestExpr expr
        && expr.name.equals(name)
        && expr.children.equals(children);
  }

  @Override
  public int hashCode() {
    return name.hashCode() * 31 + children.hashCode();
  }

  @Override
  public String toString() {
    return name + children;
  }
}
