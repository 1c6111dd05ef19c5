/** Brings the index up to what commits of other engines left for later. */
@NullMarked
package dev.varve.catalog.background;

import org.jspecify.annotations.NullMarked;
