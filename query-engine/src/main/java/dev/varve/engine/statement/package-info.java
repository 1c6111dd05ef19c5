/**
 * What each statement does, between parser and execution: access is checked, names are resolved, a
 * plan or an immediate answer comes out. Start reading at {@link
 * dev.varve.engine.statement.StatementPlanner}.
 */
@NullMarked
package dev.varve.engine.statement;

import org.jspecify.annotations.NullMarked;
