/** From SQL text to a validated statement. */
@NullMarked
package dev.varve.engine.sql;

import org.jspecify.annotations.NullMarked;
