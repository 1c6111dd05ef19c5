/** Sort keys by column position: what a stream of batches is, or must be, ordered by. */
@NullMarked
package dev.varve.engine.ordering;

import org.jspecify.annotations.NullMarked;
