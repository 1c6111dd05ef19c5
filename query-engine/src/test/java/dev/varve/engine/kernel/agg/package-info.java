/** Tests of aggregate states against exact arithmetic. */
@NullMarked
package dev.varve.engine.kernel.agg;

import org.jspecify.annotations.NullMarked;
