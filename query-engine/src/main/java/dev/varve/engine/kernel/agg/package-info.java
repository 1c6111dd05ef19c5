/** States of aggregate functions in arrays, one slot a group. */
@NullMarked
package dev.varve.engine.kernel.agg;

import org.jspecify.annotations.NullMarked;
