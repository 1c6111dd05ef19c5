/** Results as Arrow, the form in which both engines hand them over. */
@NullMarked
package dev.varve.bench.arrow;

import org.jspecify.annotations.NullMarked;
