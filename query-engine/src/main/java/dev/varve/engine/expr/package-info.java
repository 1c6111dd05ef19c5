/**
 * Physical expressions: bound to column positions, evaluated a batch at a time.
 *
 * <p>One class is one kind of expression, a value with structural equality. It says what the
 * planner asks (type, nullability, volatility, order kept, whether it can fail) and dispatches to
 * kernels. What needs more than a kernel has a class of its own: {@code Connectives} and {@code
 * Choices} evaluate terms only on the rows that reach them, so that guards guard; {@code
 * FunctionCalls} calls a function once for each dictionary entry, or once for constants; {@link
 * dev.varve.engine.expr.Predicates} turns a condition into row numbers. Start reading at {@link
 * dev.varve.engine.expr.PhysicalExpr}.
 *
 * <p>Not here: what functions there are ({@code function}), the loops ({@code kernel}), where
 * expressions come from ({@code physical}).
 */
@NullMarked
package dev.varve.engine.expr;

import org.jspecify.annotations.NullMarked;
