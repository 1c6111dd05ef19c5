/** Tests of memory pools. */
@NullMarked
package dev.varve.engine.memory;

import org.jspecify.annotations.NullMarked;
