/** Compaction: fewer, larger, less overlapping files, without sorting anything again. */
@NullMarked
package dev.varve.writer.compact;

import org.jspecify.annotations.NullMarked;
