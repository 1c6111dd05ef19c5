/** Reads Parquet pages straight into columns. */
@NullMarked
package dev.varve.engine.parquet;

import org.jspecify.annotations.NullMarked;
