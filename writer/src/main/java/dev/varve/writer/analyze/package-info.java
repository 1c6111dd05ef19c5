/** ANALYZE: counts the distinct values of a table's columns and commits them as its statistics. */
@NullMarked
package dev.varve.writer.analyze;

import org.jspecify.annotations.NullMarked;
