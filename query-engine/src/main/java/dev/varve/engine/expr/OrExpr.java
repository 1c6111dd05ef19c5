package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import java.util.List;

/**
 * Three-valued OR. A term that can fail is evaluated only on the rows for which no earlier term is
 * true.
 */
public record OrExpr(List<PhysicalExpr> terms) implements PhysicalExpr {

  public OrExpr {
    terms = List.copyOf(terms);
    if (terms.size() < 2) {
      throw new IllegalArgumentException("OR of " + terms);
    }
  }

  @Override
  public DataType type() {
    return DataType.BOOLEAN;
  }

  @Override
  public boolean nullable() {
    return Exprs.anyNullable(terms);
  }

  @Override
  public List<PhysicalExpr> children() {
    return terms;
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return Exprs.same(children, terms) ? this : new OrExpr(children);
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return Connectives.evaluate(terms, false, batch, context);
  }

  @Override
  public String toString() {
    return Text.joined(terms, " OR ");
  }
}
