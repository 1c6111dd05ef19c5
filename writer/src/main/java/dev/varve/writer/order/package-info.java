/**
 * Orders of rows: checked while they are written, and named as Iceberg, Parquet and the layout do.
 */
@NullMarked
package dev.varve.writer.order;

import org.jspecify.annotations.NullMarked;
