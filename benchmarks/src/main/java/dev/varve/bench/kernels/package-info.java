/** Kernels beside the plain loops that say the same. */
@NullMarked
package dev.varve.bench.kernels;

import org.jspecify.annotations.NullMarked;
