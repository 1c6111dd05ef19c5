/** Plans scans for engines that ask the catalog for their files. */
@NullMarked
package dev.varve.catalog.scan;

import org.jspecify.annotations.NullMarked;
