/** Rewrites of the physical plan that keep its result, in one ordered list. */
@NullMarked
package dev.varve.engine.optimizer;

import org.jspecify.annotations.NullMarked;
