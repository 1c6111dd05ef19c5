/** The engine's own state as tables. */
@NullMarked
package dev.varve.engine.connector.system;

import org.jspecify.annotations.NullMarked;
