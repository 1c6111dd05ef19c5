package dev.varve.engine.optimizer;

import static dev.varve.engine.optimizer.PlanFixture.ABC;
import static dev.varve.engine.optimizer.PlanFixture.SETTINGS;
import static dev.varve.engine.optimizer.PlanFixture.column;
import static dev.varve.engine.optimizer.PlanFixture.filter;
import static dev.varve.engine.optimizer.PlanFixture.join;
import static dev.varve.engine.optimizer.PlanFixture.limit;
import static dev.varve.engine.optimizer.PlanFixture.optimized;
import static dev.varve.engine.optimizer.PlanFixture.select;
import static dev.varve.engine.optimizer.PlanFixture.sumBy;
import static dev.varve.engine.optimizer.PlanFixture.table;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.operator.JoinType;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.Partitioning;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Where rows are moved, where they stay, and how joins and aggregations are laid out. */
class DistributionPlansTest {
  private static final GoldenPlans GOLDEN = new GoldenPlans("distribution");

  private static void check(TestInfo test, PhysicalPlan plan) {
    check(test, optimized(plan));
  }

  private static void check(TestInfo test, String plan) {
    GOLDEN.check(test.getTestMethod().orElseThrow().getName(), plan);
  }

  private static Partitioning hash(int count, String... columns) {
    return new Partitioning.Hash(
        Arrays.stream(columns)
            .<dev.varve.engine.expr.PhysicalExpr>map(c -> ColumnExpr.of(ABC, ABC.indexOf(c)))
            .toList(),
        count);
  }

  @Test
  void groupsInTwoPhases(TestInfo test) {
    check(test, sumBy(table("t").partitions(4), "c", "a"));
  }

  @Test
  void aTotalIsTakenInTwoPhases(TestInfo test) {
    check(test, sumBy(table("t").partitions(4), "c"));
  }

  @Test
  void groupsOfASmallInputInOnePhase(TestInfo test) {
    check(test, sumBy(table("t").rows(100), "c", "a"));
  }

  @Test
  void groupsNearlyUniqueKeysInOnePhase(TestInfo test) {
    check(test, sumBy(table("t").partitions(4).distinct(900_000L, 10L, 10L), "c", "a", "b"));
  }

  @Test
  void groupsWhereTheyAreWhenRowsAreTogether(TestInfo test) {
    check(test, sumBy(table("t").partitionedBy(hash(4, "a")), "c", "a"));
  }

  @Test
  void rowsDividedByFewerKeysAreTogetherToo(TestInfo test) {
    check(test, sumBy(table("t").partitionedBy(hash(4, "a")), "c", "a", "b"));
  }

  @Test
  void rowsDividedByMoreKeysAreNotTogether(TestInfo test) {
    check(test, sumBy(table("t").partitionedBy(hash(4, "a", "b")), "c", "a"));
  }

  @Test
  void tooFewPartitionsByFewerKeysAreDividedAgain(TestInfo test) {
    check(test, sumBy(table("t").partitionedBy(hash(2, "a")), "c", "a", "b"));
  }

  @Test
  void aKeyThatAFilterFixedDoesNotDivide(TestInfo test) {
    check(
        test,
        sumBy(
            filter(
                table("t").distinct(1000L, 5L, 1000L).partitionedBy(hash(4, "a", "b")),
                "b",
                ComparisonOp.EQ,
                1),
            "c",
            "a"));
  }

  @Test
  void aLargePartitionIsDealtOutForAFilter(TestInfo test) {
    check(test, filter(table("t"), "b", ComparisonOp.GT, 3));
  }

  @Test
  void aSmallPartitionIsNotDealtOut(TestInfo test) {
    check(test, filter(table("t").rows(1000), "b", ComparisonOp.GT, 3));
  }

  @Test
  void unknownSizesAreTakenForLarge(TestInfo test) {
    check(test, filter(table("t").withoutStatistics(), "b", ComparisonOp.GT, 3));
  }

  @Test
  void buildsFromTheSmallerSide(TestInfo test) {
    check(
        test,
        join(
            table("large").partitions(4),
            select(table("small").rows(100_000).partitions(4), "a", "b"),
            JoinType.INNER,
            "a"));
  }

  @Test
  void collectsASmallBuildSide(TestInfo test) {
    check(test, join(table("large").partitions(4), table("small").rows(100), JoinType.LEFT, "a"));
  }

  @Test
  void leavesSidesOfUnknownSize(TestInfo test) {
    check(
        test,
        join(
            table("t").partitions(4).withoutStatistics(),
            table("u").partitions(4).withoutStatistics(),
            JoinType.INNER,
            "a"));
  }

  @Test
  void dividesOneSideLikeTheOther(TestInfo test) {
    check(
        test,
        join(
            table("t").partitions(3),
            table("u").rows(5_000_000).partitionedBy(hash(3, "b", "a")),
            JoinType.INNER,
            "a",
            "b"));
  }

  @Test
  void leavesSidesThatAreDividedAlike(TestInfo test) {
    check(
        test,
        join(
            table("t").partitionedBy(hash(4, "a")),
            table("u").rows(5_000_000).partitionedBy(hash(4, "a")),
            JoinType.INNER,
            "a"));
  }

  @Test
  void dividesBothSidesWhereFewerKeysWouldDo(TestInfo test) {
    check(
        test,
        join(
            table("t").partitionedBy(hash(4, "a")),
            table("u").rows(5_000_000).partitionedBy(hash(4, "a")),
            JoinType.INNER,
            "a",
            "b"));
  }

  @Test
  void aGroupingByTheJoinKeyNeedsNoMove(TestInfo test) {
    PhysicalPlan joined =
        join(
            table("t").partitions(4),
            select(table("u").rows(5_000_000).partitions(4), "a"),
            JoinType.INNER,
            "a");
    check(test, sumBy(joined, "c", "a"));
  }

  @Test
  void anUnorderedLimitStopsEveryPartition(TestInfo test) {
    check(test, limit(filter(table("t").partitions(4), "b", ComparisonOp.GT, 3), 0, 10));
  }

  @Test
  void aProjectionReachesTheSource(TestInfo test) {
    PhysicalPlan source = table("t").partitions(4);
    check(
        test,
        dev.varve.engine.optimizer.PlanFixture.project(
            select(source, "b", "a"), column(select(source, "b", "a"), "a")));
  }

  @Test
  void oneTargetPartitionNeedsNoExchange(TestInfo test) {
    check(
        test,
        optimized(
            join(sumBy(table("t"), "c", "a"), table("u"), JoinType.INNER, "a"),
            SETTINGS.with(EngineSettings.TARGET_PARTITIONS, 1)));
  }

  @Test
  void unionsKeepTheirPartitions(TestInfo test) {
    check(
        test,
        sumBy(
            new dev.varve.engine.operator.UnionExec(
                List.of(table("t").partitions(2), table("u").partitions(3))),
            "c",
            "a"));
  }
}
