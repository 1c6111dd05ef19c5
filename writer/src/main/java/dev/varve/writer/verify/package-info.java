/** Checks row by row whether files have the orders that are said of them. */
@NullMarked
package dev.varve.writer.verify;

import org.jspecify.annotations.NullMarked;
