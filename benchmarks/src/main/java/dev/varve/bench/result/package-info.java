/** Results of two engines compared. */
@NullMarked
package dev.varve.bench.result;

import org.jspecify.annotations.NullMarked;
