/** Iceberg tables as a catalog. */
@NullMarked
package dev.varve.engine.connector.lake;

import org.jspecify.annotations.NullMarked;
