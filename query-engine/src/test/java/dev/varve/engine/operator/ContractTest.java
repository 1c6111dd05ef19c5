package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.expr.AndExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The answers of nodes to the optimizer. */
class ContractTest {
  private static final Schema SCHEMA =
      new RandomData(0).schema(DataType.BIGINT, DataType.BIGINT, DataType.VARCHAR);
  private static final PhysicalExpr C0 = ColumnExpr.of(SCHEMA, 0);
  private static final PhysicalExpr C1 = ColumnExpr.of(SCHEMA, 1);
  private static final LexOrdering BY_C0_C1 =
      LexOrdering.of(new SortExpr(C0, SortOptions.ASC), new SortExpr(C1, SortOptions.DESC));

  private static TestSource source(int partitions) {
    List<List<Batch>> all = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      all.add(List.of());
    }
    return new TestSource(SCHEMA, all, Optional.of(BY_C0_C1));
  }

  private static List<String> gathered(PhysicalPlan node, int child, PhysicalExpr... filters) {
    FilterPushdown.Description description = node.gatherFiltersForPushdown(List.of(filters));
    return description.children().isEmpty()
        ? List.of()
        : description.children().get(child).parentFilters().stream()
            .map(f -> f.map(PhysicalExpr::toString).orElse("-"))
            .toList();
  }

  @Test
  void aFilterGivesItsTermsDownAndGoesWhereAllAreExact() {
    PhysicalExpr first = TestExpr.equal(C0, 1);
    PhysicalExpr second = TestExpr.equal(C1, 2);
    FilterExec filter = new FilterExec(source(1), new AndExpr(List.of(first, second)));
    FilterPushdown.Description down =
        filter.gatherFiltersForPushdown(
            List.of(TestExpr.equal(C0, 3), TestExpr.equal(C0, 4).thatMayFail()));
    assertThat(down.children().get(0).ownFilters()).containsExactly(first, second);
    assertThat(down.children().get(0).parentFilters().get(0)).isPresent();
    assertThat(down.children().get(0).parentFilters().get(1)).isEmpty();
    List<PhysicalExpr> parents = List.of(TestExpr.equal(C0, 3));
    FilterPushdown.Result all =
        filter.handleChildPushdownResult(
            parents,
            List.of(
                new FilterPushdown.ChildOutcome(
                    List.of(FilterPushdown.Outcome.INEXACT),
                    List.of(FilterPushdown.Outcome.EXACT, FilterPushdown.Outcome.EXACT))));
    assertThat(all.plan()).isSameAs(filter.children().get(0));
    assertThat(all.parentFilters()).containsExactly(FilterPushdown.Outcome.INEXACT);
    FilterPushdown.Result some =
        filter.handleChildPushdownResult(
            parents,
            List.of(
                new FilterPushdown.ChildOutcome(
                    List.of(FilterPushdown.Outcome.EXACT),
                    List.of(FilterPushdown.Outcome.EXACT, FilterPushdown.Outcome.INEXACT))));
    assertThat(((FilterExec) some.plan()).predicate()).isEqualTo(second);
  }

  @Test
  void filtersPassAJoinOnlyToASideThatTheJoinDoesNotExtendOrReport() {
    for (JoinType type : JoinType.values()) {
      HashJoinExec join =
          new HashJoinExec(
              source(1),
              source(2),
              List.of(new JoinKey(C0, C0, false)),
              Optional.empty(),
              type,
              JoinMode.COLLECT_LEFT);
      PhysicalExpr onFirst = TestExpr.equal(ColumnExpr.of(join.schema(), 0), 1);
      boolean left =
          switch (type) {
            case INNER, LEFT, LEFT_SEMI, LEFT_ANTI -> true;
            case RIGHT, FULL, RIGHT_SEMI, RIGHT_ANTI -> false;
          };
      assertThat(gathered(join, 0, onFirst).get(0).equals("-"))
          .as("%s left", type)
          .isEqualTo(!left);
      PhysicalExpr onLast =
          TestExpr.equal(ColumnExpr.of(join.schema(), join.schema().size() - 2), 1);
      boolean right =
          switch (type) {
            case INNER, RIGHT, RIGHT_SEMI, RIGHT_ANTI -> true;
            case LEFT, FULL, LEFT_SEMI, LEFT_ANTI -> false;
          };
      assertThat(gathered(join, 1, onLast).get(0).equals("-"))
          .as("%s right", type)
          .isEqualTo(!right);
      if (right) {
        assertThat(gathered(join, 1, onLast)).containsExactly("equals1[c1@1]");
      }
      if (type.keepsLeftColumns() && type.keepsRightColumns()) {
        PhysicalExpr onBoth =
            TestExpr.lessThan(ColumnExpr.of(join.schema(), 0), ColumnExpr.of(join.schema(), 4));
        assertThat(gathered(join, 0, onBoth)).containsExactly("-");
        assertThat(gathered(join, 1, onBoth)).containsExactly("-");
      }
    }
  }

  @Test
  void filtersPassAnAggregateOnGroupColumnsAndNeverALimit() {
    AggregateExec aggregate =
        new AggregateExec(
            AggregateMode.SINGLE,
            List.of(new NamedExpr(C1, "g")),
            List.of(
                new AggregateExpr(
                    AggregateFunctions.resolve("sum", List.of(DataType.BIGINT)),
                    List.of(C0),
                    Optional.empty(),
                    "s")),
            source(1));
    PhysicalExpr onGroup = TestExpr.equal(ColumnExpr.of(aggregate.schema(), 0), 1);
    PhysicalExpr onSum = TestExpr.equal(ColumnExpr.of(aggregate.schema(), 1), 1);
    assertThat(gathered(aggregate, 0, onGroup, onSum)).containsExactly("equals1[c1@1]", "-");
    PhysicalExpr filter = TestExpr.equal(C0, 1);
    assertThat(gathered(new GlobalLimitExec(source(1), 0, OptionalLong.of(5)), 0, filter))
        .isEmpty();
    assertThat(gathered(new LocalLimitExec(source(1), 5), 0, filter)).isEmpty();
    assertThat(gathered(new SortExec(source(1), BY_C0_C1, OptionalLong.of(5), false), 0, filter))
        .isEmpty();
    assertThat(gathered(new SortExec(source(1), BY_C0_C1, OptionalLong.empty(), false), 0, filter))
        .hasSize(1);
  }

  @Test
  void aProjectionTranslatesFiltersAndSortRequestsUnlessTheyAreVolatile() {
    ProjectionExec projection =
        new ProjectionExec(
            source(1),
            List.of(
                new NamedExpr(C1, "b"),
                new NamedExpr(TestExpr.modulo(C0, 7).thatIsVolatile(), "r")));
    PhysicalExpr b = ColumnExpr.of(projection.schema(), 0);
    PhysicalExpr r = ColumnExpr.of(projection.schema(), 1);
    assertThat(gathered(projection, 0, TestExpr.equal(b, 1), TestExpr.equal(r, 1)))
        .containsExactly("equals1[c1@1]", "-");
    assertThat(projection.tryPushdownSort(LexOrdering.of(new SortExpr(r, SortOptions.ASC))))
        .isEqualTo(SortPushdown.UNSUPPORTED);
  }

  @Test
  void twoProjectionsBecomeOneUnlessThatComputesSomethingTwice() {
    ProjectionExec inner =
        new ProjectionExec(source(1), List.of(new NamedExpr(TestExpr.modulo(C0, 7), "m")));
    PhysicalExpr m = ColumnExpr.of(inner.schema(), 0);
    Optional<PhysicalPlan> once =
        inner.trySwapWithProjection(List.of(new NamedExpr(TestExpr.modulo(m, 2), "x")));
    assertThat(once.orElseThrow().details()).isEqualTo("[modulo2[modulo7[c0@0]] as x]");
    assertThat(inner.trySwapWithProjection(List.of(new NamedExpr(m, "x"), new NamedExpr(m, "y"))))
        .isEmpty();
  }

  @Test
  void nodesSayWhatBecomesOfTheirInputsOrder() {
    assertThat(new FilterExec(source(2), TestExpr.equal(C1, 1)).properties().outputOrdering())
        .contains(BY_C0_C1);
    assertThat(new CoalescePartitionsExec(source(2)).properties().outputOrdering()).isEmpty();
    assertThat(new CoalescePartitionsExec(source(1)).properties().outputOrdering())
        .contains(BY_C0_C1);
    RepartitionExec roundRobin =
        new RepartitionExec(source(2), new Partitioning.RoundRobinBatch(4), false);
    assertThat(roundRobin.properties().outputOrdering()).isEmpty();
    PhysicalPlan preserving = roundRobin.withPreserveOrder(true).orElseThrow();
    assertThat(preserving.properties().outputOrdering()).contains(BY_C0_C1);
    assertThat(preserving.maintainsInputOrder()).containsExactly(true);
    assertThat(
            new RepartitionExec(source(1), new Partitioning.RoundRobinBatch(4), false)
                .properties()
                .outputOrdering())
        .contains(BY_C0_C1);
    assertThat(
            new HashJoinExec(
                    source(1),
                    source(2),
                    List.of(new JoinKey(C0, C0, false)),
                    Optional.empty(),
                    JoinType.FULL,
                    JoinMode.COLLECT_LEFT)
                .properties()
                .outputOrdering())
        .isEmpty();
    assertThat(new UnionExec(List.of(source(1), source(2))).properties().outputOrdering())
        .contains(BY_C0_C1);
    assertThat(new UnionExec(List.of(source(1), source(2))).properties().partitioning().count())
        .isEqualTo(3);
  }

  @Test
  void anInnerJoinDeclaresItsKeysEqualAndAnOuterOneDoesNot() {
    for (JoinType type : List.of(JoinType.INNER, JoinType.LEFT, JoinType.FULL)) {
      HashJoinExec join =
          new HashJoinExec(
              source(1),
              source(2),
              List.of(new JoinKey(C0, C0, false)),
              Optional.empty(),
              type,
              JoinMode.COLLECT_LEFT);
      assertThat(
              join.properties()
                  .equivalences()
                  .areSame(ColumnExpr.of(join.schema(), 0), ColumnExpr.of(join.schema(), 3)))
          .as("%s", type)
          .isEqualTo(type == JoinType.INNER);
    }
  }

  @Test
  void statisticsAreNeverMoreCertainThanTheirInputs() {
    ValuesExec values =
        new ValuesExec(
            SCHEMA,
            List.of(Batches.of(SCHEMA, List.of(1L, 2L), List.of(1L, 2L), List.of("a", "b"))));
    assertThat(values.statistics().rowCount()).isEqualTo(Precision.exact(2L));
    assertThat(new FilterExec(values, TestExpr.equal(C0, 1)).statistics().rowCount())
        .isEqualTo(Precision.inexact(1L));
    assertThat(new GlobalLimitExec(values, 1, OptionalLong.of(5)).statistics().rowCount())
        .isEqualTo(Precision.exact(1L));
    assertThat(new UnionExec(List.of(values, values)).statistics().rowCount())
        .isEqualTo(Precision.exact(4L));
    assertThat(source(1).statistics().rowCount()).isEqualTo(Precision.absent());
  }
}
