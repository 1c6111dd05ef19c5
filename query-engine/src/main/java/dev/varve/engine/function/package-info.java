/** The function registry: signatures, volatility, monotonicity and implementations. */
@NullMarked
package dev.varve.engine.function;

import org.jspecify.annotations.NullMarked;
