/**
 * Physical operators: a plan node is a value that answers the optimizer's questions, its stream
 * does the work.
 *
 * <p>Start reading at {@link dev.varve.engine.operator.FilterExec} and {@code FilterStream}, the
 * smallest complete pair. What streams share is in {@code OperatorStream}; how plans are run and
 * ended in {@link dev.varve.engine.operator.PlanExecution}. Streams do control flow; loops over
 * rows are in {@code kernel}: rows are compared, hashed and grouped by their encoded keys ({@code
 * kernel.key}), which is the one key equality of exchanges, tables, sorts and merges.
 *
 * <p>What the partitions of one node share in one run, an exchange's queues or a join's build side,
 * is kept by the query's context, never in the node.
 */
@NullMarked
package dev.varve.engine.operator;

import org.jspecify.annotations.NullMarked;
