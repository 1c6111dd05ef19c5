package dev.varve.engine.plan;

import dev.varve.engine.expr.NamedExpr;
import java.util.List;

/** The capability of a node that does nothing but compute columns from each row of its child. */
public interface ProjectionNode {
  List<NamedExpr> expressions();
}
