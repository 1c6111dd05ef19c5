package dev.varve.engine.optimizer;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortNode;
import dev.varve.engine.properties.LexOrdering;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gives every node the distribution and the order that it requires of its inputs, with as little
 * moving and sorting as the known facts allow. After it a plan is executable; before it, it need
 * not be.
 *
 * <ol>
 *   <li>Requests for an order go down to the sources ({@link SortRequests}), which may arrange
 *       their files for it or say what is missing.
 *   <li>Bottom-up, node by node: the children are divided as the node requires ({@link
 *       ExchangePlacement}; join keys are taken in the order in which one side is divided already),
 *       then put in the order that it requires ({@link SortPlacement}). Both happen in one pass,
 *       since an exchange must know whether an order is relied upon, and a sort whether its input
 *       is still in partitions: sorts run in parallel under a merge, and vanish where the order is
 *       known.
 *   <li>The whole plan gives one partition.
 * </ol>
 *
 * <p>With the optimizer off only what a right answer needs is put in: no order is used, no
 * parallelism added.
 *
 * <pre>{@code
 * SortExec: [k ASC]                           SortPreservingMergeExec: [k ASC]
 *   FilterExec: v > 3                  =>       -- sort [k ASC] removed: 12 files are verified
 *     DataSourceExec                            FilterExec: v > 3
 *                                                 DataSourceExec: 4 groups in order
 * }</pre>
 */
final class EnsureRequirements implements PhysicalRule {

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    PhysicalPlan requested =
        settings.optimizes(EngineSettings.ELIMINATE_SORTS) ? SortRequests.push(plan) : plan;
    return new Pass(settings).ensureOnePartition(requested);
  }

  /** The bottom-up pass. */
  private static final class Pass {
    private final ExchangePlacement exchanges;
    private final SortPlacement sorts;

    Pass(Settings settings) {
      this.exchanges = new ExchangePlacement(settings);
      this.sorts = new SortPlacement(settings);
    }

    PhysicalPlan ensureOnePartition(PhysicalPlan plan) {
      return exchanges.merged(ensure(plan, Optional.empty()), Optional.empty());
    }

    /**
     * The plan with all requirements met; {@code wanted} is an order of its that is relied upon.
     */
    private PhysicalPlan ensure(PhysicalPlan plan, Optional<LexOrdering> wanted) {
      Optional<SortNode> sort = plan.capability(SortNode.class);
      return sort.isPresent() ? ensureSort(plan, sort.get()) : ensureChildren(plan, wanted);
    }

    private PhysicalPlan ensureSort(PhysicalPlan plan, SortNode sort) {
      PhysicalPlan child = plan.children().get(0);
      PhysicalPlan ensured = ensure(child, sorts.reliedUpon(child, sort.ordering()));
      return sorts.sorted(ensured, sort, plan);
    }

    private PhysicalPlan ensureChildren(PhysicalPlan plan, Optional<LexOrdering> wanted) {
      if (plan.children().isEmpty()) {
        return plan;
      }
      List<Optional<LexOrdering>> required = plan.requiredInputOrdering();
      List<ExchangePlacement.Input> inputs = new ArrayList<>();
      for (int i = 0; i < plan.children().size(); i++) {
        PhysicalPlan child = plan.children().get(i);
        Optional<LexOrdering> relied =
            required.get(i).isPresent()
                ? sorts.reliedUpon(child, required.get(i).get())
                : OrderThrough.child(plan, i, wanted);
        inputs.add(
            new ExchangePlacement.Input(
                ensure(child, relied),
                relied,
                relied.isPresent() || OrderThrough.carriesSort(child),
                required.get(i).isPresent()));
      }
      List<PhysicalPlan> distributed = exchanges.distribute(plan, inputs);
      List<PhysicalPlan> ordered = new ArrayList<>();
      for (int i = 0; i < distributed.size(); i++) {
        PhysicalPlan child = distributed.get(i);
        boolean single = exchanges.requiresSinglePartition(plan, i);
        ordered.add(required.get(i).map(o -> sorts.ordered(child, o, single)).orElse(child));
      }
      return plan.withChildren(ordered);
    }
  }
}
