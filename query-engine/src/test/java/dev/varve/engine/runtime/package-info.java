/** Tests of tasks and the core gate. */
@NullMarked
package dev.varve.engine.runtime;

import org.jspecify.annotations.NullMarked;
