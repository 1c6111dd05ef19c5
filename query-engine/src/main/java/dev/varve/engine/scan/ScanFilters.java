package dev.varve.engine.scan;

import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.DynamicFilter;
import dev.varve.engine.plan.KeyTest;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.layout.FileFacts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All filters of one stream of a scan: those of the plan first, then the dynamic ones with the
 * content they have by now. Confined to one task.
 */
final class ScanFilters {
  private final ScanSpec spec;
  private final List<RowFilter> rows;
  private final List<DynamicRowFilter> dynamic = new ArrayList<>();
  private final Condition planned;

  /** The dynamic contents that {@link #known} was made of. */
  private List<@Nullable KeyTest> contents = List.of();

  private @Nullable Condition known;
  private final boolean changing;

  ScanFilters(ScanSpec spec, QueryContext query, MetricSet metrics) {
    this.spec = spec;
    this.rows = new ArrayList<>(ScanFilter.of(spec.exactFilters(), spec.table(), query.eval()));
    for (DynamicFilter filter : spec.dynamicFilters()) {
      dynamic.add(new DynamicRowFilter(filter, spec.table(), query, metrics));
    }
    if (spec.testsRows()) {
      rows.addAll(dynamic);
    }
    this.planned = spec.pruning().condition();
    this.known = spec.prunes() && spec.hasFilters() ? planned : null;
    this.changing = spec.prunes() && !dynamic.isEmpty();
  }

  /** What rows are asked, in this order. */
  List<RowFilter> rows() {
    return rows;
  }

  /** The place of the first that must not see rows which are not in the table. */
  int firstFallible() {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).fallible()) {
        return i;
      }
    }
    return rows.size();
  }

  /** What skips by statistics as of now; null if nothing does. */
  @Nullable Condition condition() {
    if (changing) {
      List<@Nullable KeyTest> current = new ArrayList<>(dynamic.size());
      for (DynamicRowFilter filter : dynamic) {
        current.add(filter.content());
      }
      if (!current.equals(contents)) {
        contents = current;
        known = and(implied());
      }
    }
    return known;
  }

  private List<PhysicalExpr> implied() {
    List<PhysicalExpr> expressions = new ArrayList<>();
    for (DynamicRowFilter filter : dynamic) {
      filter.implied().filter(PruningPredicate::isUseful).ifPresent(expressions::add);
    }
    return expressions;
  }

  private @Nullable Condition and(List<PhysicalExpr> implied) {
    if (implied.isEmpty()) {
      return spec.hasFilters() ? planned : null;
    }
    Condition added = PruningPredicate.of(implied).condition();
    return spec.hasFilters() ? new Condition.And(List.of(planned, added)) : added;
  }

  /** Whether a file may hold rows that pass, by what is known of it before it is opened. */
  boolean mayMatch(FileFacts file) {
    // Filters of the plan have chosen the files already.
    if (!changing) {
      return true;
    }
    Condition condition = condition();
    return condition == null
        || (condition.possible(new FileContainer(spec.table(), file)) & Condition.TRUE) != 0;
  }
}
