/**
 * Rewrites of the physical plan that keep its result.
 *
 * <p>One class is one rewrite; {@link dev.varve.engine.optimizer.PhysicalOptimizer} holds them in
 * order and says why each stands where it stands. Start reading at {@link
 * dev.varve.engine.optimizer.PushLimit}, the smallest complete example; {@link
 * dev.varve.engine.optimizer.EnsureRequirements} is the centre.
 *
 * <p>A rule never asks what class a node is. It asks the questions of {@link
 * dev.varve.engine.plan.PhysicalPlan}, or for a capability ({@link
 * dev.varve.engine.plan.SwappableJoin}) that any node may have.
 *
 * <p>Not here: join order ({@code logical}), what a node requires or keeps (the node itself, {@code
 * operator}).
 */
@NullMarked
package dev.varve.engine.optimizer;

import org.jspecify.annotations.NullMarked;
