package dev.varve.engine.optimizer;

import static dev.varve.engine.optimizer.PlanFixture.SETTINGS;
import static dev.varve.engine.optimizer.PlanFixture.by;
import static dev.varve.engine.optimizer.PlanFixture.column;
import static dev.varve.engine.optimizer.PlanFixture.filter;
import static dev.varve.engine.optimizer.PlanFixture.join;
import static dev.varve.engine.optimizer.PlanFixture.limit;
import static dev.varve.engine.optimizer.PlanFixture.optimized;
import static dev.varve.engine.optimizer.PlanFixture.project;
import static dev.varve.engine.optimizer.PlanFixture.select;
import static dev.varve.engine.optimizer.PlanFixture.sort;
import static dev.varve.engine.optimizer.PlanFixture.sumBy;
import static dev.varve.engine.optimizer.PlanFixture.table;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.ArithmeticExpr;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.kernel.ArithmeticOp;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.operator.JoinType;
import dev.varve.engine.operator.UnionExec;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.type.DataType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Where sorts go, where they stay, and what EXPLAIN says about it. */
class SortPlansTest {
  private static final GoldenPlans GOLDEN = new GoldenPlans("sorts");

  private static void check(TestInfo test, PhysicalPlan plan) {
    check(test, optimized(plan));
  }

  private static void check(TestInfo test, String plan) {
    GOLDEN.check(test.getTestMethod().orElseThrow().getName(), plan);
  }

  @Test
  void removesTheSortOfAnOrderedTable(TestInfo test) {
    check(test, sort(table("t").sortedBy(by("a")), "a"));
  }

  @Test
  void mergesOrderedPartitionsInsteadOfSorting(TestInfo test) {
    check(test, sort(table("t").partitions(4).sortedBy(by("a")), "a"));
  }

  @Test
  void sortsPartitionsInParallelUnderOneMerge(TestInfo test) {
    check(test, sort(table("t").partitions(4), "a"));
  }

  @Test
  void sortsOnePartitionWithoutAMerge(TestInfo test) {
    check(test, sort(table("t"), "a"));
  }

  @Test
  void keepsTheSortWhenOneFileIsUnverified(TestInfo test) {
    check(test, sort(table("t").partitions(4).sortedBy(by("a")).unverified("f2.parquet"), "a"));
  }

  @Test
  void keepsTheSortWhenTheTableIsOrderedOtherwise(TestInfo test) {
    check(test, sort(table("t").sortedBy(by("a")), "b"));
  }

  @Test
  void keepsTheSortForAnotherDirection(TestInfo test) {
    check(test, sort(table("t").sortedBy(by("a")), "a desc"));
  }

  @Test
  void keepsTheSortForAnotherPositionOfNulls(TestInfo test) {
    check(test, sort(table("t").sortedBy(by("b")), "b nulls first"));
  }

  @Test
  void ignoresThePositionOfNullsWhereThereAreNone(TestInfo test) {
    check(test, sort(table("t").sortedBy(by("a")), "a nulls first"));
  }

  @Test
  void ignoresThePositionOfNullsThatAFilterRemoved(TestInfo test) {
    check(
        test,
        sort(
            filter(table("t").sortedBy(by("b")).inOrder(), "b", ComparisonOp.GT, 3),
            "b nulls first"));
  }

  @Test
  void sortsOnlyTiesWhereTheFirstKeyIsInOrder(TestInfo test) {
    check(test, sort(table("t").sortedBy(by("a")).inOrder(), "a", "b"));
  }

  @Test
  void removesTheSortByAKeyThatAFilterFixed(TestInfo test) {
    check(test, sort(filter(table("t").partitions(4), "a", ComparisonOp.EQ, 5), "a"));
  }

  @Test
  void skipsAFixedKeyBeforeAnOrderedOne(TestInfo test) {
    check(
        test,
        sort(
            filter(
                table("t").partitions(4).sortedBy(by("a", "b")).inOrder(), "a", ComparisonOp.EQ, 5),
            "b"));
  }

  @Test
  void ignoresKeysThatEarlierOnesDecide(TestInfo test) {
    check(test, sort(table("t").sortedBy(by("a", "b")), "a", "b", "a desc"));
  }

  @Test
  void asksForTheOrderThroughFiltersAndRenamedColumns(TestInfo test) {
    PhysicalPlan source =
        filter(table("t").partitions(4).sortedBy(by("a")), "b", ComparisonOp.GT, 3);
    check(test, sort(project(source, column(source, "a"), column(source, "b")), "a"));
  }

  @Test
  void followsAStrictlyMonotoneExpressionToTheNextKey(TestInfo test) {
    PhysicalPlan source = table("t").sortedBy(by("a", "b")).inOrder();
    check(
        test,
        sort(
            project(
                source,
                new CastExpr(column(source, "a"), DataType.decimal(20, 0), false),
                column(source, "b")),
            "x0",
            "b"));
  }

  @Test
  void sortsTiesOfAMonotoneExpression(TestInfo test) {
    PhysicalPlan source = table("t").sortedBy(by("a", "b")).inOrder();
    check(
        test,
        sort(
            project(source, arithmetic(source, ArithmeticOp.DIVIDE), column(source, "b")),
            "x0",
            "b"));
  }

  /** A remainder runs up and down: the order of its argument says nothing. */
  @Test
  void sortsTiesByARemainder(TestInfo test) {
    PhysicalPlan source = table("t").sortedBy(by("a", "b")).inOrder();
    check(test, sort(project(source, column(source, "a"), remainder(source)), "a", "x1"));
  }

  @Test
  void aTopKStopsAnUnorderedInput(TestInfo test) {
    check(test, limit(sort(table("t").partitions(4), "a"), 0, 10));
  }

  @Test
  void aTopKOfAnOffsetKeepsTheSkippedRows(TestInfo test) {
    check(test, limit(sort(table("t").partitions(4), "a"), 2, 5));
  }

  @Test
  void aLimitOfAnOrderedTableStopsEarly(TestInfo test) {
    check(test, limit(sort(table("t").sortedBy(by("a")), "a"), 0, 10));
  }

  @Test
  void aLimitOfOrderedPartitionsStopsEachEarly(TestInfo test) {
    check(test, limit(sort(table("t").partitions(4).sortedBy(by("a")), "a"), 0, 10));
  }

  @Test
  void nestedLimitsKeepTheirOffsets(TestInfo test) {
    check(test, limit(sort(limit(sort(table("t").partitions(4), "a"), 2, 5), "a desc"), 1, 2));
  }

  @Test
  void aLimitReachesTheInputsOfAUnion(TestInfo test) {
    check(
        test,
        limit(
            new UnionExec(
                List.of(filter(table("t").partitions(2), "a", ComparisonOp.GT, 3), table("u"))),
            0,
            10));
  }

  @Test
  void aUnionOfOrderedTablesIsMerged(TestInfo test) {
    check(
        test,
        sort(
            new UnionExec(List.of(table("t").sortedBy(by("a")), table("u").sortedBy(by("a", "b")))),
            "a"));
  }

  @Test
  void aUnionWithOneUnorderedTableIsSorted(TestInfo test) {
    check(test, sort(new UnionExec(List.of(table("t").sortedBy(by("a")), table("u"))), "a"));
  }

  @Test
  void theOrderOfTheProbeSideSurvivesAJoin(TestInfo test) {
    check(
        test,
        sort(
            join(
                select(table("u").rows(10), "c"),
                table("t").partitions(4).sortedBy(by("a")).inOrder(),
                JoinType.INNER,
                "c"),
            "a"));
  }

  @Test
  void aSortUnderASortIsDropped(TestInfo test) {
    check(test, sort(sort(table("t"), "b"), "a"));
  }

  @Test
  void aSortByADroppedColumnIsNotDealtOut(TestInfo test) {
    PhysicalPlan sorted = sort(table("t"), "a");
    check(test, project(sorted, arithmetic(sorted, ArithmeticOp.MULTIPLY)));
  }

  @Test
  void groupsOfAnOrderedTableComeInOrder(TestInfo test) {
    check(test, sort(sumBy(table("t").sortedBy(by("a")).inOrder(), "c", "a"), "a"));
  }

  @Test
  void keepsEverySortWhenEliminationIsOff(TestInfo test) {
    check(
        test,
        optimized(
            sort(table("t").partitions(4).sortedBy(by("a")).inOrder(), "a"),
            SETTINGS.with(EngineSettings.ELIMINATE_SORTS, false)));
  }

  @Test
  void onlyDoesWhatIsNeededWhenTheOptimizerIsOff(TestInfo test) {
    check(
        test,
        optimized(
            limit(
                sort(
                    sumBy(
                        filter(
                            table("t").partitions(4).sortedBy(by("a")).inOrder(),
                            "b",
                            ComparisonOp.GT,
                            3),
                        "c",
                        "a"),
                    "a"),
                0,
                10),
            SETTINGS.with(EngineSettings.OPTIMIZER, false)));
  }

  @Test
  void thePlanIsTheSameEveryTime() {
    PhysicalPlan plan =
        sort(
            join(
                table("u"),
                filter(table("t").partitions(4).sortedBy(by("a", "b")), "a", ComparisonOp.EQ, 5),
                JoinType.INNER,
                "a",
                "b"),
            "b",
            "c");
    assertThat(optimized(plan)).isEqualTo(optimized(plan)).isEqualTo(optimized(plan));
  }

  private static ArithmeticExpr arithmetic(PhysicalPlan source, ArithmeticOp op) {
    return new ArithmeticExpr(
        op, column(source, "a"), new LiteralExpr(10L, DataType.BIGINT), DataType.BIGINT);
  }

  private static ArithmeticExpr remainder(PhysicalPlan source) {
    return new ArithmeticExpr(
        ArithmeticOp.MODULO,
        column(source, "b"),
        new LiteralExpr(2L, DataType.BIGINT),
        DataType.BIGINT);
  }
}
