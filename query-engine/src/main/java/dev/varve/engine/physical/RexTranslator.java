package dev.varve.engine.physical;

import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.function.FunctionRegistry;
import dev.varve.engine.type.Schema;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** Turns the logical plan's expressions into physical ones, over the columns of an input. */
public final class RexTranslator {
  private final FunctionRegistry registry;
  private final List<@Nullable Object> parameters;

  /** {@code parameters} are the values of the statement's dynamic parameters, in order. */
  public RexTranslator(FunctionRegistry registry, List<@Nullable Object> parameters) {
    this.registry = registry;
    this.parameters = parameters;
  }

  /** The expression of the same value and type over the input's columns. */
  public PhysicalExpr translate(RexNode node, Schema input) {
    throw new IllegalStateException("translate " + node + registry + parameters);
  }
}
