package dev.varve.engine.scan;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.plan.DynamicFilter;
import dev.varve.engine.plan.FilterPushdown.Outcome;
import java.util.ArrayList;
import java.util.List;

/**
 * A scan with those of the offered filters that it takes: those whose value is the same wherever
 * they are evaluated. One that can fail is taken only if all before it were, so that rows they
 * reject do not reach it.
 *
 * @param outcomes one for each offered filter
 */
record TakenFilters(ScanSpec spec, List<Outcome> outcomes) {

  /** {@code fetches}: under a fetch, a filter would change which rows are fetched. */
  static TakenFilters of(ScanSpec spec, List<PhysicalExpr> offered, boolean fetches) {
    boolean late = spec.settings().optimizes(EngineSettings.LATE_MATERIALIZATION);
    List<PhysicalExpr> exact = new ArrayList<>(spec.exactFilters());
    List<PhysicalExpr> pruning = new ArrayList<>(spec.pruningFilters());
    List<DynamicFilter> dynamic = new ArrayList<>(spec.dynamicFilters());
    List<Outcome> answers = new ArrayList<>();
    boolean allTaken = true;
    int[] toTable = spec.output().stream().mapToInt(Integer::intValue).toArray();
    for (PhysicalExpr filter : offered) {
      Outcome answer = Outcome.UNSUPPORTED;
      if (!fetches && filter.volatility() != Volatility.VOLATILE) {
        PhysicalExpr own = Exprs.remap(filter, toTable);
        if (own instanceof DynamicFilter found) {
          // It keeps out nothing that its maker needs, so it does not stand before the others.
          if (!found.fallible()) {
            dynamic.add(found);
            answer = Outcome.INEXACT;
          }
          answers.add(answer);
          continue;
        }
        if (late && (allTaken || !filter.fallible())) {
          exact.add(own);
          answer = Outcome.EXACT;
        } else if (spec.prunes() && PruningPredicate.isUseful(own)) {
          pruning.add(own);
          answer = Outcome.INEXACT;
        }
      }
      allTaken &= answer == Outcome.EXACT;
      answers.add(answer);
    }
    boolean none =
        exact.size() == spec.exactFilters().size()
            && pruning.size() == spec.pruningFilters().size()
            && dynamic.size() == spec.dynamicFilters().size();
    return new TakenFilters(none ? spec : spec.withFilters(exact, pruning, dynamic), answers);
  }
}
