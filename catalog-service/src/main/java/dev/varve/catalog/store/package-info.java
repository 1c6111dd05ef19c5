/** The catalog's database: connections, transactions with three results, and migrations. */
@NullMarked
package dev.varve.catalog.store;

import org.jspecify.annotations.NullMarked;
