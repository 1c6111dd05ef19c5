/** The lake's catalog as a library: Iceberg's catalog and the layout index over one database. */
@NullMarked
package dev.varve.catalog;

import org.jspecify.annotations.NullMarked;
