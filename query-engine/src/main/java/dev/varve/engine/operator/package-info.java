/** Physical operators: a plan node is a value, its stream does the work. */
@NullMarked
package dev.varve.engine.operator;

import org.jspecify.annotations.NullMarked;
