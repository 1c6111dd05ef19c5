/**
 * Loops over primitive arrays, one method per type and operation; no per-row call, boxing or
 * allocation.
 */
@NullMarked
package dev.varve.engine.kernel;

import org.jspecify.annotations.NullMarked;
