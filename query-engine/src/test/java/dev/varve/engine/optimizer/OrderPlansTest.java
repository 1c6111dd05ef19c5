package dev.varve.engine.optimizer;

import static dev.varve.engine.optimizer.PlanFixture.SETTINGS;
import static dev.varve.engine.optimizer.PlanFixture.by;
import static dev.varve.engine.optimizer.PlanFixture.column;
import static dev.varve.engine.optimizer.PlanFixture.filter;
import static dev.varve.engine.optimizer.PlanFixture.join;
import static dev.varve.engine.optimizer.PlanFixture.limit;
import static dev.varve.engine.optimizer.PlanFixture.optimized;
import static dev.varve.engine.optimizer.PlanFixture.project;
import static dev.varve.engine.optimizer.PlanFixture.sort;
import static dev.varve.engine.optimizer.PlanFixture.sumBy;
import static dev.varve.engine.optimizer.PlanFixture.table;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.operator.JoinType;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.Partitioning;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What orders give beyond sorts that vanish: sequences, merge joins, groups that stream. */
class OrderPlansTest {
  private static final GoldenPlans GOLDEN = new GoldenPlans("orders");

  private static void check(TestInfo test, PhysicalPlan plan) {
    GOLDEN.check(test.getTestMethod().orElseThrow().getName(), optimized(plan));
  }

  /** A table of four partitions in the order of its keys. */
  private static FakeTable ordered(String name, String... keys) {
    return table(name).partitions(4).sortedBy(by(keys));
  }

  /** The same, cut into ranges of its first key. */
  private static PhysicalPlan ranged(String name, String... keys) {
    return ordered(name, keys).tryPushdownRanges(by(keys), Optional.empty()).orElseThrow();
  }

  @Test
  void rangesAreReadOneAfterTheOther(TestInfo test) {
    check(test, sort(ranged("t", "a", "b"), "a", "b"));
  }

  @Test
  void rangesAreCutShorterThroughFiltersAndProjections(TestInfo test) {
    PhysicalPlan source = filter(ranged("t", "a", "b"), "c", ComparisonOp.GT, 3);
    check(test, sort(project(source, column(source, "a"), column(source, "c")), "a"));
  }

  @Test
  void aLimitOfRangesReadsThemOneByOne(TestInfo test) {
    check(test, limit(sort(ranged("t", "a"), "a"), 0, 10));
  }

  @Test
  void orderedPartitionsThatAreNoRangesAreMerged(TestInfo test) {
    check(test, sort(ordered("t", "a", "b"), "a", "b"));
  }

  @Test
  void rangesOfAnotherKeyAreNoSequence(TestInfo test) {
    PhysicalPlan source = ranged("t", "a", "b");
    check(test, sort(filter(source, "c", ComparisonOp.EQ, 3), "b"));
  }

  @Test
  void rowsThatAreDealtOutAreNoSequenceAnyMore(TestInfo test) {
    check(test, sort(sumBy(table("t").sortedBy(by("a")).inOrder().rows(2_000_000), "c", "b"), "b"));
  }

  @Test
  void joinsOrderedSidesByMergingInRanges(TestInfo test) {
    check(test, join(ordered("t", "a", "b"), ordered("u", "a"), JoinType.INNER, "a"));
  }

  @Test
  void joinsByMergingOnAllKeysOfTheOrder(TestInfo test) {
    check(test, join(ordered("t", "a", "b"), ordered("u", "a", "b"), JoinType.LEFT, "b", "a"));
  }

  @Test
  void mergesSidesThatCannotBeCutAsOneStreamEach(TestInfo test) {
    check(
        test, join(table("t").sortedBy(by("a")), table("u").sortedBy(by("a")), JoinType.FULL, "a"));
  }

  @Test
  void theOrderOfTheKeysSurvivesAMergeJoin(TestInfo test) {
    check(test, sort(join(ordered("t", "a"), ordered("u", "a"), JoinType.INNER, "a"), "a"));
  }

  @Test
  void aSmallSideIsHashed(TestInfo test) {
    check(test, join(ordered("t", "a").rows(1000), ordered("u", "a"), JoinType.INNER, "a"));
  }

  @Test
  void anUnorderedSideIsHashed(TestInfo test) {
    check(test, join(ordered("t", "a"), table("u").partitions(4), JoinType.INNER, "a"));
  }

  @Test
  void anUnverifiedSideIsHashed(TestInfo test) {
    check(
        test,
        join(ordered("t", "a"), ordered("u", "a").unverified("f2.parquet"), JoinType.INNER, "a"));
  }

  @Test
  void sidesInDifferentDirectionsAreHashed(TestInfo test) {
    check(test, join(ordered("t", "a"), ordered("u", "a desc"), JoinType.INNER, "a"));
  }

  @Test
  void aKeyThatIsNotTheFirstOfTheOrderIsHashed(TestInfo test) {
    check(test, join(ordered("t", "b", "a"), ordered("u", "a"), JoinType.INNER, "a"));
  }

  @Test
  void mergeJoinsCanBeSwitchedOff(TestInfo test) {
    GOLDEN.check(
        test.getTestMethod().orElseThrow().getName(),
        optimized(
            join(ordered("t", "a"), ordered("u", "a"), JoinType.INNER, "a"),
            SETTINGS.with(EngineSettings.MERGE_JOIN, false)));
  }

  @Test
  void groupsOfRangesNeedNoSecondPhase(TestInfo test) {
    check(test, sumBy(ordered("t", "a", "b"), "c", "a"));
  }

  @Test
  void groupsOfRangesStayInOrder(TestInfo test) {
    check(test, sort(sumBy(ordered("t", "a", "b"), "c", "a"), "a"));
  }

  @Test
  void groupsByMoreKeysStreamInTheirSequence(TestInfo test) {
    check(test, sumBy(ordered("t", "a", "b"), "c", "b", "a"));
  }

  @Test
  void groupsByALaterKeyAreHashed(TestInfo test) {
    check(test, sumBy(ordered("t", "a", "b"), "c", "b"));
  }

  @Test
  void groupsOfAnUnverifiedTableAreHashed(TestInfo test) {
    check(test, sumBy(ordered("t", "a").unverified("f2.parquet"), "c", "a"));
  }

  @Test
  void aFixedKeyBeforeTheGroupsDoesNotCount(TestInfo test) {
    check(test, sumBy(filter(ordered("t", "a", "b"), "a", ComparisonOp.EQ, 5), "c", "b"));
  }

  @Test
  void aSideThatIsCutElsewhereIsCutAnew(TestInfo test) {
    PhysicalPlan other =
        ordered("u", "a")
            .partitionedBy(new Partitioning.Range(by("a"), List.of(List.of(1L), List.of(2L)), true))
            .inOrder();
    check(test, join(ranged("t", "a"), other, JoinType.INNER, "a"));
  }

  @Test
  void onlyTiesAreSortedWhereTheFirstKeyIsInOrder(TestInfo test) {
    check(test, sort(ordered("t", "a"), "a", "c"));
  }

  @Test
  void tiesOfRangesAreSortedInSequence(TestInfo test) {
    check(test, sort(ranged("t", "a"), "a", "c"));
  }

  @Test
  void aLimitOfSortedTiesStopsEarly(TestInfo test) {
    check(test, limit(sort(ordered("t", "a"), "a", "c"), 0, 10));
  }

  @Test
  void aFixedFirstKeyLeavesNoTiesToSortBy(TestInfo test) {
    check(test, sort(filter(table("t").partitions(4), "a", ComparisonOp.EQ, 5), "a", "c"));
  }

  @Test
  void ofAnUnverifiedTableMoreThanTiesIsSorted(TestInfo test) {
    check(test, sort(ordered("t", "a").unverified("f2.parquet"), "a", "c"));
  }
}
