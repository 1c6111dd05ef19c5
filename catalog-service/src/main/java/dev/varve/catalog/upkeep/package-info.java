/**
 * Files without a table: which are being written, which are still read, which no snapshot names any
 * more, and their removal.
 *
 * <p>Start reading at {@link dev.varve.catalog.upkeep.CatalogUpkeep}. Nothing here knows how tables
 * are stored, but for where the catalog's pointers are.
 */
@NullMarked
package dev.varve.catalog.upkeep;

import org.jspecify.annotations.NullMarked;
