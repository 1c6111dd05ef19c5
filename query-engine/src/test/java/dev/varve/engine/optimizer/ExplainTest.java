package dev.varve.engine.optimizer;

import static dev.varve.engine.optimizer.PlanFixture.SETTINGS;
import static dev.varve.engine.optimizer.PlanFixture.by;
import static dev.varve.engine.optimizer.PlanFixture.filter;
import static dev.varve.engine.optimizer.PlanFixture.sort;
import static dev.varve.engine.optimizer.PlanFixture.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.operator.SortPreservingMergeExec;
import dev.varve.engine.plan.AnnotatedPlan;
import dev.varve.engine.plan.OptimizedPlan;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanPrinter;
import dev.varve.engine.plan.PlanTree;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What EXPLAIN, its variants and the tree for pages say; and that a wrong plan does not run. */
class ExplainTest {
  private static OptimizedPlan optimized() {
    return new PhysicalOptimizer()
        .optimize(
            sort(
                filter(
                    table("t").partitions(4).sortedBy(by("a")).unverified("f2.parquet"),
                    "b",
                    ComparisonOp.GT,
                    3),
                "a"),
            SETTINGS);
  }

  @Test
  void countsStandBehindTheNodeThatCounted() {
    PhysicalPlan plan = optimized().plan();
    plan.metrics().add("output_rows", 7);
    plan.metrics().add("elapsed_compute_nanos", 1_500_000);
    assertThat(PlanPrinter.analyzed(plan).lines().findFirst())
        .contains(
            "SortPreservingMergeExec: [a@0 ASC] {elapsed_compute=1.500 ms, estimated_rows=200000, output_rows=7}");
  }

  @Test
  void verboseShowsWhatEachRuleChanged() {
    String text = PlanPrinter.verbose(optimized(), false);
    assertThat(text)
        .startsWith(PlanPrinter.text(optimized().plan()))
        .containsPattern("PushFilters \\([0-9.]+ ms\\):\n  SortExec")
        .containsPattern("JoinSelection \\([0-9.]+ ms\\): no change");
  }

  @Test
  void theTreeHoldsNamesReasonsAndPromises() {
    PlanTree merge = PlanTree.of(optimized().plan());
    PlanTree sort = merge.children().get(0);
    assertThat(merge.name()).isEqualTo("SortPreservingMergeExec");
    assertThat(merge.orderings()).containsExactly("[a@0 ASC]");
    assertThat(sort.reasons())
        .containsExactly("sort needed: t/f2.parquet: order [a@0 ASC] is asserted, not verified");
  }

  @Test
  void reasonsSurviveWhatLaterRulesDoWithTheirNode() {
    PhysicalPlan noted = AnnotatedPlan.of(table("t").sortedBy(by("a")), List.of("why"));
    assertThat(noted.withFetch(3).orElseThrow().reasons()).containsExactly("why");
    assertThat(AnnotatedPlan.of(noted, List.of("why"))).isSameAs(noted);
    assertThat(AnnotatedPlan.of(noted, List.of("more")).reasons()).containsExactly("why", "more");
  }

  @Test
  void aPlanThatLacksAnOrderDoesNotRun() {
    PhysicalPlan wrong =
        new SortPreservingMergeExec(table("t").partitions(4), by("a"), OptionalLong.empty());
    assertThatThrownBy(() -> new SanityCheck().apply(wrong, SETTINGS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("child 0 is not in order [a@0 ASC]");
  }

  @Test
  void aPlanOfSeveralPartitionsDoesNotRun() {
    assertThatThrownBy(() -> new SanityCheck().apply(table("t").partitions(4), SETTINGS))
        .hasMessageContaining("the plan has Unknown[count=4]");
  }
}
