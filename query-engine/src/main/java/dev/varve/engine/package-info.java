/**
 * Varve's query engine: SQL text to batches. Start reading at {@link dev.varve.engine.QueryEngine};
 * the packages follow the way of a query: sql, logical, plan, optimizer, operator, kernel.
 */
@NullMarked
package dev.varve.engine;

import org.jspecify.annotations.NullMarked;
