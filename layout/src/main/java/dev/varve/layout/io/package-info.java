/** Files of the local file system behind Iceberg's FileIO. */
@NullMarked
package dev.varve.layout.io;

import org.jspecify.annotations.NullMarked;
