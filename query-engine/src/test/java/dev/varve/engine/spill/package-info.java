/** Tests of spill files. */
@NullMarked
package dev.varve.engine.spill;

import org.jspecify.annotations.NullMarked;
