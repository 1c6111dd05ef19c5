/** Types and schemas. */
@NullMarked
package dev.varve.engine.type;

import org.jspecify.annotations.NullMarked;
