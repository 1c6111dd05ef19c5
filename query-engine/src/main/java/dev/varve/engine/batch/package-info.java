/** Columns in memory: immutable batches of columns over primitive arrays, and streams of them. */
@NullMarked
package dev.varve.engine.batch;

import org.jspecify.annotations.NullMarked;
