/** Compares, in the background, orders that are claimed with the rows of their files. */
@NullMarked
package dev.varve.service.check;

import org.jspecify.annotations.NullMarked;
