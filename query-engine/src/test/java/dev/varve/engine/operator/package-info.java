/** Tests of the physical operators. */
@NullMarked
package dev.varve.engine.operator;

import org.jspecify.annotations.NullMarked;
