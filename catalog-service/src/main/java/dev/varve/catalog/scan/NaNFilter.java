package dev.varve.catalog.scan;

import java.util.function.Function;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionVisitors;
import org.apache.iceberg.expressions.ExpressionVisitors.ExpressionVisitor;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.NamedReference;
import org.apache.iceberg.expressions.UnboundPredicate;
import org.apache.iceberg.types.Types.NestedField;
import org.jspecify.annotations.Nullable;

/**
 * Widens a filter so that no file of NaN is left out. The bounds of a column leave NaN out, and
 * Iceberg compares them as if there were none; to engines NaN is greater than every number.
 */
final class NaNFilter extends ExpressionVisitor<Expression> {
  private final Function<String, @Nullable NestedField> columns;

  private NaNFilter(Function<String, @Nullable NestedField> columns) {
    this.columns = columns;
  }

  static Expression widen(Expression filter, Schema schema, boolean caseSensitive) {
    return ExpressionVisitors.visit(
        Expressions.rewriteNot(filter),
        new NaNFilter(caseSensitive ? schema::findField : schema::caseInsensitiveFindField));
  }

  @Override
  public Expression alwaysTrue() {
    return Expressions.alwaysTrue();
  }

  @Override
  public Expression alwaysFalse() {
    return Expressions.alwaysFalse();
  }

  @Override
  public Expression and(Expression left, Expression right) {
    return Expressions.and(left, right);
  }

  @Override
  public Expression or(Expression left, Expression right) {
    return Expressions.or(left, right);
  }

  @Override
  public <T> Expression predicate(UnboundPredicate<T> predicate) {
    boolean fromBelow =
        predicate.op() == Expression.Operation.GT || predicate.op() == Expression.Operation.GT_EQ;
    if (!fromBelow || !(predicate.term() instanceof NamedReference<?> column)) {
      return predicate;
    }
    NestedField field = columns.apply(column.name());
    boolean floating =
        field != null
            && switch (field.type().typeId()) {
              case FLOAT, DOUBLE -> true;
              default -> false;
            };
    return floating ? Expressions.or(predicate, Expressions.isNaN(column.name())) : predicate;
  }
}
