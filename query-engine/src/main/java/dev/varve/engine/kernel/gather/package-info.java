/** Copies of rows out of several batches into one. */
@NullMarked
package dev.varve.engine.kernel.gather;

import org.jspecify.annotations.NullMarked;
