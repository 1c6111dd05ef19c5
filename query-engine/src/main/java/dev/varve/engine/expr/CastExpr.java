package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.Casts;
import dev.varve.engine.type.DataType;
import java.util.List;

/** A conversion to another type; a safe one gives null where the other fails. */
public record CastExpr(PhysicalExpr child, DataType type, boolean safe) implements PhysicalExpr {

  /** {@code child} itself if it has the type. */
  public static PhysicalExpr to(PhysicalExpr child, DataType type) {
    return child.type().equals(type) ? child : new CastExpr(child, type, false);
  }

  @Override
  public boolean nullable() {
    return safe || child.nullable();
  }

  @Override
  public List<PhysicalExpr> children() {
    return List.of(child);
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return children.get(0) == child ? this : new CastExpr(children.get(0), type, safe);
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return Casts.cast(child.evaluate(batch, context), type, safe, context.zone());
  }

  /** A cast between a zoned and an unzoned type reads the session's time zone. */
  @Override
  public Volatility volatility() {
    Volatility own = Casts.usesZone(child.type(), type) ? Volatility.STABLE : Volatility.IMMUTABLE;
    return own.weakest(child.volatility());
  }

  @Override
  public Monotonicity monotonicity(int index) {
    return safe ? Monotonicity.NONE : CastOrder.of(child.type(), type);
  }

  @Override
  public boolean fallible() {
    return child.fallible() || (!safe && Casts.fallible(child.type(), type));
  }

  @Override
  public String toString() {
    return (safe ? "TRY_CAST(" : "CAST(") + child + " AS " + type + ")";
  }
}
