package dev.varve.engine.optimizer;

import static dev.varve.engine.optimizer.PlanFixture.by;
import static dev.varve.engine.optimizer.PlanFixture.filter;
import static dev.varve.engine.optimizer.PlanFixture.limit;
import static dev.varve.engine.optimizer.PlanFixture.optimized;
import static dev.varve.engine.optimizer.PlanFixture.select;
import static dev.varve.engine.optimizer.PlanFixture.sort;
import static dev.varve.engine.optimizer.PlanFixture.sumBy;
import static dev.varve.engine.optimizer.PlanFixture.table;

import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.plan.PhysicalPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** An operator that answers the contract's questions is optimised with no rule changed. */
class NewOperatorTest {
  private static final GoldenPlans GOLDEN = new GoldenPlans("new_operator");

  private static void check(TestInfo test, PhysicalPlan plan) {
    GOLDEN.check(test.getTestMethod().orElseThrow().getName(), optimized(plan));
  }

  @Test
  void theSortAboveItIsRemoved(TestInfo test) {
    check(test, sort(new SamplingExec(table("t").partitions(4).sortedBy(by("a")), 10), "a"));
  }

  @Test
  void theSortAboveItStaysWithTheReason(TestInfo test) {
    check(
        test,
        limit(
            sort(
                new SamplingExec(
                    table("t").partitions(4).sortedBy(by("a")).unverified("f2.parquet"), 10),
                "a"),
            0,
            5));
  }

  @Test
  void itGetsMorePartitions(TestInfo test) {
    check(test, sumBy(new SamplingExec(table("t"), 10), "c", "a"));
  }

  @Test
  void projectionsGoThroughAndFiltersStop(TestInfo test) {
    check(
        test,
        select(
            filter(new SamplingExec(table("t").partitions(4), 10), "b", ComparisonOp.GT, 3), "b"));
  }
}
