/** The command {@code varve bench}. */
@NullMarked
package dev.varve.bench;

import org.jspecify.annotations.NullMarked;
