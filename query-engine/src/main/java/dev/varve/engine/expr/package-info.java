/** Physical expressions: bound to column positions, evaluated a batch at a time. */
@NullMarked
package dev.varve.engine.expr;

import org.jspecify.annotations.NullMarked;
