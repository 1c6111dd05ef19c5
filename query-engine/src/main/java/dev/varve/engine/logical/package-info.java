/** Logical rewrites on Calcite's algebra. */
@NullMarked
package dev.varve.engine.logical;

import org.jspecify.annotations.NullMarked;
