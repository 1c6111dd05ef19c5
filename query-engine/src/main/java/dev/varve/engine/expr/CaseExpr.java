package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;

/**
 * Searched CASE. A condition is evaluated only on rows that no earlier branch took, a result only
 * on the rows of its branch, so that guards guard. All results have {@code type}.
 */
public record CaseExpr(List<Branch> branches, PhysicalExpr otherwise, DataType type)
    implements PhysicalExpr {

  /** {@code WHEN condition THEN result}. */
  public record Branch(PhysicalExpr condition, PhysicalExpr result) {}

  public CaseExpr {
    branches = List.copyOf(branches);
    if (branches.isEmpty()) {
      throw new IllegalArgumentException("CASE without WHEN");
    }
    for (Branch branch : branches) {
      if (!branch.result.type().equals(type)) {
        throw new IllegalStateException(
            "branch of " + branch.result.type() + " in CASE of " + type);
      }
    }
    if (!otherwise.type().equals(type)) {
      throw new IllegalStateException("ELSE of " + otherwise.type() + " in CASE of " + type);
    }
  }

  @Override
  public boolean nullable() {
    return otherwise.nullable() || branches.stream().anyMatch(b -> b.result.nullable());
  }

  @Override
  public List<PhysicalExpr> children() {
    List<PhysicalExpr> all = new ArrayList<>(2 * branches.size() + 1);
    for (Branch branch : branches) {
      all.add(branch.condition);
      all.add(branch.result);
    }
    all.add(otherwise);
    return all;
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    if (Exprs.same(children, children())) {
      return this;
    }
    List<Branch> changed = new ArrayList<>(branches.size());
    for (int i = 0; i < branches.size(); i++) {
      changed.add(new Branch(children.get(2 * i), children.get(2 * i + 1)));
    }
    return new CaseExpr(changed, children.get(children.size() - 1), type);
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return Choices.evaluateCase(this, batch, context);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("CASE");
    for (Branch branch : branches) {
      text.append(" WHEN ").append(branch.condition).append(" THEN ").append(branch.result);
    }
    return text.append(" ELSE ").append(otherwise).append(" END").toString();
  }
}
