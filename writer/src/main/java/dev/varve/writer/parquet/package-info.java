/**
 * Columns to Parquet files.
 *
 * <p>A {@link ColumnEncoder} turns the values of one leaf column into the pages of one column chunk
 * and needs nothing of any other column, so each has a task of its own. The {@link EncodedChunk}s
 * of a row group are sealed in memory and then only copied into the file, in order, by {@link
 * ParquetFileOutput}, which also writes indexes and footer. Pages are built value array by value
 * array: an open page is a typed array ({@link PageValues}) that is turned into bytes when the page
 * is full, so statistics, dictionary and encoding each are one loop.
 */
@NullMarked
package dev.varve.writer.parquet;

import org.jspecify.annotations.NullMarked;
