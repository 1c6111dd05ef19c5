/**
 * From the logical plan to the first physical one: each relational operator becomes the node that
 * computes it. What the nodes then need of their inputs is the optimizer's work, not done here.
 */
@NullMarked
package dev.varve.engine.physical;

import org.jspecify.annotations.NullMarked;
