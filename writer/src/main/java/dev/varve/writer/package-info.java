/** Batches to sorted Parquet to an Iceberg commit, and the upkeep of what was written. */
@NullMarked
package dev.varve.writer;

import org.jspecify.annotations.NullMarked;
