/**
 * The functions of SQL: names, overloads, types, volatility and order, and the operator table that
 * shows them to the validator.
 *
 * <p>A {@link dev.varve.engine.function.FunctionDefinition} is a name with its overloads; the
 * validator and the translation to physical expressions both ask it to resolve a call, so that they
 * cannot disagree. Conversions are PostgreSQL's: numbers widen, a date becomes a timestamp, an
 * untyped literal becomes what is asked; text never becomes a number. To add a function, add a
 * definition to the family it belongs to ({@code MathFunctions}, {@code StringFunctions}, {@code
 * DateTimeFunctions}, {@code SystemFunctions}) and its answers to {@code expr/postgres.txt}.
 */
@NullMarked
package dev.varve.engine.function;

import org.jspecify.annotations.NullMarked;
