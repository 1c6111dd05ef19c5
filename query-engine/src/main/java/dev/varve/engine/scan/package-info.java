/** Decides what to read: pruning, file groups, and the scan node. */
@NullMarked
package dev.varve.engine.scan;

import org.jspecify.annotations.NullMarked;
