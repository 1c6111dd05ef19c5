package dev.varve.engine.logical;

import dev.varve.engine.function.FunctionRegistry;
import dev.varve.engine.function.RegistryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.SqlOperator;

/** Scalar sub-queries that must have one row. */
final class SingleRow {
  /** (rows, value): the value; an error where there are more rows than one. */
  static final SqlOperator OPERATOR =
      RegistryOperator.named(FunctionRegistry.standard(), "subquery$single");

  private SingleRow() {}

  /** LIMIT 1 without an order asks for any row: without it, where any one is taken anyway. */
  static RelNode withoutPlainLimit(RelNode query) {
    return query instanceof Sort sort
            && sort.offset == null
            && sort.getCollation().getFieldCollations().isEmpty()
            && sort.fetch instanceof RexLiteral
            && RexLiteral.intValue(sort.fetch) == 1
        ? sort.getInput()
        : query;
  }
}
