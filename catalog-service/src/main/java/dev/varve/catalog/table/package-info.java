/**
 * Iceberg's catalog over the catalog's database: a commit is a compare-and-set on the pointer to a
 * table's metadata, in one transaction with the layout index.
 */
@NullMarked
package dev.varve.catalog.table;

import org.jspecify.annotations.NullMarked;
