/**
 * The set of catalogs a statement can name, and what every catalog has: {@code information_schema}.
 */
@NullMarked
package dev.varve.engine.connector;

import org.jspecify.annotations.NullMarked;
