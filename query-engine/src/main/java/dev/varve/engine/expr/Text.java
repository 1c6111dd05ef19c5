package dev.varve.engine.expr;

import java.util.List;
import java.util.stream.Collectors;

/** Parts of the expressions' text in EXPLAIN. */
final class Text {
  private Text() {}

  /** In parentheses unless it reads as one thing. */
  static String operand(PhysicalExpr expr) {
    return switch (expr) {
      case ColumnExpr c -> c.toString();
      case LiteralExpr l -> l.toString();
      case FunctionExpr f -> f.toString();
      case CastExpr c -> c.toString();
      case CaseExpr c -> c.toString();
      case CoalesceExpr c -> c.toString();
      default -> "(" + expr + ")";
    };
  }

  static String joined(List<PhysicalExpr> parts, String separator) {
    return parts.stream().map(Text::operand).collect(Collectors.joining(separator));
  }

  static String list(List<PhysicalExpr> parts) {
    return parts.stream().map(PhysicalExpr::toString).collect(Collectors.joining(", "));
  }
}
