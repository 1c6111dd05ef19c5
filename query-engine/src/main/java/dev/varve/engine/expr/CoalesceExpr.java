package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import java.util.List;

/**
 * The first argument that is not null; each is evaluated only on the rows where all before it are
 * null. All have one type.
 */
public record CoalesceExpr(List<PhysicalExpr> arguments) implements PhysicalExpr {

  public CoalesceExpr {
    arguments = List.copyOf(arguments);
    for (PhysicalExpr argument : arguments) {
      if (!argument.type().equals(arguments.get(0).type())) {
        throw new IllegalStateException("COALESCE over different types: " + arguments);
      }
    }
  }

  @Override
  public DataType type() {
    return arguments.get(0).type();
  }

  @Override
  public boolean nullable() {
    return arguments.stream().allMatch(PhysicalExpr::nullable);
  }

  @Override
  public List<PhysicalExpr> children() {
    return arguments;
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return Exprs.same(children, arguments) ? this : new CoalesceExpr(children);
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return Choices.evaluateCoalesce(this, batch, context);
  }

  @Override
  public String toString() {
    return "coalesce(" + Text.list(arguments) + ")";
  }
}
