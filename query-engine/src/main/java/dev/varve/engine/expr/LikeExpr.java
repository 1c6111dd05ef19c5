package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.LikePattern;
import dev.varve.engine.kernel.Likes;
import dev.varve.engine.type.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code child [NOT] LIKE pattern}, or ILIKE. {@code escape} is one character, or empty for none;
 * backslash where the statement does not say.
 */
public final class LikeExpr implements PhysicalExpr {
  private final PhysicalExpr child;
  private final PhysicalExpr pattern;
  private final String escape;
  private final boolean negated;
  private final boolean caseInsensitive;
  private final @Nullable LikePattern compiled;

  public LikeExpr(
      PhysicalExpr child,
      PhysicalExpr pattern,
      String escape,
      boolean negated,
      boolean caseInsensitive) {
    this.child = child;
    this.pattern = pattern;
    this.escape = escape;
    this.negated = negated;
    this.caseInsensitive = caseInsensitive;
    this.compiled =
        pattern instanceof LiteralExpr literal && literal.value() instanceof String text
            ? LikePattern.compile(text, escape, caseInsensitive)
            : null;
  }

  public PhysicalExpr child() {
    return child;
  }

  public PhysicalExpr pattern() {
    return pattern;
  }

  public String escape() {
    return escape;
  }

  public boolean negated() {
    return negated;
  }

  public boolean caseInsensitive() {
    return caseInsensitive;
  }

  /**
   * The bytes that every match begins with, escapes undone ({@link LikePattern#prefix}) and whether
   * that is all the pattern asks; null if the pattern is not a constant.
   */
  public @Nullable LikePattern compiled() {
    return compiled;
  }

  @Override
  public DataType type() {
    return DataType.BOOLEAN;
  }

  @Override
  public boolean nullable() {
    return child.nullable() || pattern.nullable();
  }

  @Override
  public List<PhysicalExpr> children() {
    return List.of(child, pattern);
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return children.get(0) == child && children.get(1) == pattern
        ? this
        : new LikeExpr(children.get(0), children.get(1), escape, negated, caseInsensitive);
  }

  /** A pattern that ends with its escape character is an error. */
  @Override
  public boolean fallible() {
    return compiled == null || child.fallible();
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    Column value = child.evaluate(batch, context);
    return compiled != null
        ? Likes.matches(value, compiled, negated)
        : Likes.matches(value, pattern.evaluate(batch, context), escape, caseInsensitive, negated);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LikeExpr like
        && like.child.equals(child)
        && like.pattern.equals(pattern)
        && like.escape.equals(escape)
        && like.negated == negated
        && like.caseInsensitive == caseInsensitive;
  }

  @Override
  public int hashCode() {
    return (child.hashCode() * 31 + pattern.hashCode()) * 31 + (negated ? 1 : 0);
  }

  @Override
  public String toString() {
    return Text.operand(child)
        + (negated ? " NOT" : "")
        + (caseInsensitive ? " ILIKE " : " LIKE ")
        + Text.operand(pattern)
        + (escape.equals("\\") ? "" : " ESCAPE '" + escape + "'");
  }
}
