/** Execution: tasks on virtual threads under a core gate, cancellation, scopes and metrics. */
@NullMarked
package dev.varve.engine.runtime;

import org.jspecify.annotations.NullMarked;
