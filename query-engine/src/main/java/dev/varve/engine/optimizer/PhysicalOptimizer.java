package dev.varve.engine.optimizer;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.plan.OptimizedPlan;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.TraceEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules, in order. Each works on what those before it left; none is repeated until nothing
 * changes. Safe for concurrent use.
 */
public final class PhysicalOptimizer {

  /** All rules, each with the reason for its place. */
  private static final List<PhysicalRule> RULES =
      List.of(
          // First, so that sources know what they will not read when sizes are compared.
          new PushFilters(),
          // After the filters, whose columns a source that applies them need not give any more.
          new PushProjections(),
          // While sources still show the orders they could give; what is merged needs no build
          // side.
          new MergeJoinSelection(),
          // On sizes as filters and projections left them, before anything is divided by keys.
          new JoinSelection(),
          // Folds the projections that turned joins put in.
          new PushProjections(),
          // Once it is certain which side of a join is built, and columns no longer move.
          new PushDynamicFilters(),
          // Before phases are chosen: groups that come in order need no table.
          new GroupOrders(),
          // Before requirements are met: the phases decide what those are.
          new SplitAggregates(),
          // Sorts must know that they are top-k before they are placed.
          new PushLimit(),
          // Everything above decided which nodes there are; now they get what they require.
          new EnsureRequirements(),
          // Where nothing had to be moved between two phases.
          new CombineAggregates(),
          // Again, into the exchanges and merges that were put in.
          new PushLimit(),
          // Last of the rewrites, since the others look at leaves.
          new EnsureCooperative(),
          new SanityCheck());

  /** What a right answer needs. */
  private static final List<PhysicalRule> REQUIRED_RULES =
      List.of(new EnsureRequirements(), new EnsureCooperative(), new SanityCheck());

  private final List<PhysicalRule> rules;
  private final List<PhysicalRule> requiredRules;
  private final boolean checksEachRule;

  public PhysicalOptimizer() {
    this(RULES, REQUIRED_RULES, false);
  }

  private PhysicalOptimizer(
      List<PhysicalRule> rules, List<PhysicalRule> requiredRules, boolean checksEachRule) {
    this.rules = rules;
    this.requiredRules = requiredRules;
    this.checksEachRule = checksEachRule;
  }

  /** For tests: after each rule the plan is checked, as far as it must be whole by then. */
  public static PhysicalOptimizer checkingEachRule() {
    return new PhysicalOptimizer(RULES, REQUIRED_RULES, true);
  }

  /** The plan that runs, in one partition, and what each rule changed. */
  public OptimizedPlan optimize(PhysicalPlan plan, Settings settings) {
    List<PhysicalRule> active = settings.get(EngineSettings.OPTIMIZER) ? rules : requiredRules;
    List<TraceEntry> trace = new ArrayList<>();
    PhysicalPlan current = plan;
    boolean requirementsMet = false;
    for (PhysicalRule rule : active) {
      long start = System.nanoTime();
      PhysicalPlan next = rule.apply(current, settings);
      trace.add(new TraceEntry(rule.name(), next, next != current, System.nanoTime() - start));
      current = next;
      requirementsMet |= rule instanceof EnsureRequirements;
      if (checksEachRule) {
        checkAfter(rule, current, requirementsMet, settings);
      }
    }
    return new OptimizedPlan(current, trace);
  }

  private static void checkAfter(
      PhysicalRule rule, PhysicalPlan plan, boolean requirementsMet, Settings settings) {
    try {
      SanityCheck.checkShape(plan);
      if (requirementsMet) {
        new SanityCheck().apply(plan, settings);
      }
    } catch (IllegalStateException e) {
      throw new IllegalStateException("after " + rule.name() + ": " + e.getMessage(), e);
    }
  }
}
