package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import java.util.List;

/**
 * Three-valued AND. A term that can fail is evaluated only on the rows for which no earlier term is
 * false.
 */
public record AndExpr(List<PhysicalExpr> terms) implements PhysicalExpr {

  public AndExpr {
    terms = List.copyOf(terms);
    if (terms.size() < 2) {
      throw new IllegalArgumentException("AND of " + terms);
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
    return Exprs.same(children, terms) ? this : new AndExpr(children);
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return Connectives.evaluate(terms, true, batch, context);
  }

  @Override
  public String toString() {
    return Text.joined(terms, " AND ");
  }
}
