package dev.varve.engine.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ArithmeticOp;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What follows from what, by example; that nothing false follows is shown on random rows. */
class EquivalencePropertiesTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.of("a", DataType.INTEGER),
          Field.of("b", DataType.INTEGER),
          Field.of("c", DataType.INTEGER),
          Field.of("d", DataType.INTEGER));
  private static final ColumnExpr A = ColumnExpr.of(SCHEMA, 0);
  private static final ColumnExpr B = ColumnExpr.of(SCHEMA, 1);
  private static final ColumnExpr C = ColumnExpr.of(SCHEMA, 2);
  private static final ColumnExpr D = ColumnExpr.of(SCHEMA, 3);
  private static final EquivalenceProperties NOTHING = EquivalenceProperties.of(SCHEMA);

  private static LexOrdering by(PhysicalExpr... keys) {
    return new LexOrdering(
        Arrays.stream(keys).map(key -> new SortExpr(key, SortOptions.ASC)).toList());
  }

  private static SortExpr desc(PhysicalExpr key) {
    return new SortExpr(key, SortOptions.DESC);
  }

  @Test
  void anOrderHoldsForItsBeginnings() {
    EquivalenceProperties facts = NOTHING.withOrdering(by(A, B, C));
    assertThat(facts.satisfies(by(A, B))).isTrue();
    assertThat(facts.satisfiedPrefix(by(A, C))).isEqualTo(1);
    assertThat(facts.satisfies(by(B))).isFalse();
  }

  @Test
  void anEqualColumnStandsForAnother() {
    EquivalenceProperties facts = NOTHING.withOrdering(by(A, C)).withEqual(A, B);
    assertThat(facts.satisfies(by(B, C))).isTrue();
    assertThat(facts.normalize(by(B, C))).contains(by(A, C));
  }

  /** The second key decides nothing once the first has, whatever its direction. */
  @Test
  void aKeyEqualToAnEarlierOneIsRedundant() {
    EquivalenceProperties facts = NOTHING.withOrdering(by(A)).withEqual(A, B);
    LexOrdering both = LexOrdering.of(new SortExpr(A, SortOptions.ASC), desc(B));
    assertThat(facts.normalize(both)).contains(by(A));
    assertThat(facts.satisfies(both)).isTrue();
  }

  @Test
  void onlyConstantKeysLeaveNoOrder() {
    EquivalenceProperties facts = NOTHING.withConstant(A, true, 5).withConstant(B, false, null);
    assertThat(facts.normalize(by(A, B))).isEmpty();
    assertThat(facts.satisfies(by(B, A))).isTrue();
    assertThat(facts.withoutPartitionConstants().satisfies(by(B, A))).isFalse();
  }

  /** b follows the order of its dependency; it is no order of its own. */
  @Test
  void ordersOfOneStreamCombineOnlyBehindOneAnother() {
    EquivalenceProperties facts = NOTHING.withOrdering(by(A, B)).withOrdering(by(C));
    assertThat(facts.satisfies(by(A, B, C))).isTrue();
    assertThat(facts.satisfies(by(C, A, B))).isTrue();
    assertThat(facts.satisfies(by(A, C, B))).isTrue();
    assertThat(facts.satisfies(by(B))).isFalse();
    assertThat(facts.satisfies(by(C, B))).isFalse();
  }

  @Test
  void aStrictlyMonotoneKeyPinsItsArgument() {
    EquivalenceProperties facts = NOTHING.withOrdering(by(A, B));
    PhysicalExpr wide = new CastExpr(A, DataType.BIGINT, false);
    PhysicalExpr third = RandomFacts.arithmetic(ArithmeticOp.DIVIDE, A, RandomFacts.literal(3));
    assertThat(facts.satisfies(by(wide, B))).isTrue();
    assertThat(facts.satisfies(by(third))).isTrue();
    assertThat(facts.satisfies(by(third, A, B))).isTrue();
    assertThat(facts.satisfies(by(third, B))).isFalse();
  }

  @Test
  void nullsHaveTheirPositionUnlessThereAreNone() {
    EquivalenceProperties facts = NOTHING.withOrdering(by(A));
    LexOrdering nullsFirst = LexOrdering.of(new SortExpr(A, new SortOptions(false, true)));
    assertThat(facts.satisfies(nullsFirst)).isFalse();
    assertThat(facts.withNotNull(A).satisfies(nullsFirst)).isTrue();
  }

  /** A difference is null where its other argument is, whatever this one is. */
  @Test
  void aDifferenceFromWhatMayBeNullPinsNothing() {
    PhysicalExpr difference = RandomFacts.arithmetic(ArithmeticOp.SUBTRACT, A, B);
    EquivalenceProperties facts =
        NOTHING.withConstant(B, true, null).withConstant(difference, true, null);
    assertThat(facts.isConstant(A)).isFalse();
    assertThat(facts.withNotNull(B).withConstant(difference, true, null).isConstant(A)).isTrue();
  }

  @Test
  void aMergeKeepsOneOrderAndNoConstantOfAPartition() {
    EquivalenceProperties facts =
        NOTHING.withOrdering(by(A)).withOrdering(by(B)).withConstant(C, false, null);
    EquivalenceProperties merged = facts.mergedBy(by(A));
    assertThat(merged.satisfies(by(A))).isTrue();
    assertThat(merged.satisfies(by(B))).isFalse();
    assertThat(merged.isConstant(C)).isFalse();
  }

  @Test
  void hashesMustBeOfTheRequiredKeysOrFewer() {
    Distribution byA = new Distribution.KeyPartitioned(List.of(A));
    Distribution byBoth = new Distribution.KeyPartitioned(List.of(A, B));
    Partitioning hashA = new Partitioning.Hash(List.of(A), 4);
    Partitioning hashBoth = new Partitioning.Hash(List.of(B, A), 4);
    assertThat(hashA.satisfaction(byA, NOTHING)).isEqualTo(PartitioningSatisfaction.EXACT);
    assertThat(hashA.satisfaction(byBoth, NOTHING)).isEqualTo(PartitioningSatisfaction.SUBSET);
    assertThat(hashBoth.satisfaction(byBoth, NOTHING)).isEqualTo(PartitioningSatisfaction.EXACT);
    assertThat(hashBoth.satisfaction(byA, NOTHING))
        .isEqualTo(PartitioningSatisfaction.NOT_SATISFIED);
    assertThat(hashBoth.satisfaction(byA, NOTHING.withConstant(B, true, 1)))
        .isEqualTo(PartitioningSatisfaction.EXACT);
    assertThat(hashBoth.satisfaction(byA, NOTHING.withConstant(B, false, null)))
        .isEqualTo(PartitioningSatisfaction.NOT_SATISFIED);
    assertThat(
            hashA.satisfaction(
                new Distribution.KeyPartitioned(List.of(D)), NOTHING.withEqual(A, D)))
        .isEqualTo(PartitioningSatisfaction.EXACT);
  }

  @Test
  void rangesKeepKeysTogetherOnlyWhenCutBetweenThem() {
    List<List<Object>> cuts = List.of(List.of(10));
    Distribution byA = new Distribution.KeyPartitioned(List.of(A));
    assertThat(range(by(A), cuts, true).satisfaction(byA, NOTHING))
        .isEqualTo(PartitioningSatisfaction.EXACT);
    assertThat(range(by(A), cuts, false).satisfaction(byA, NOTHING))
        .isEqualTo(PartitioningSatisfaction.NOT_SATISFIED);
    assertThat(range(by(A, B), List.of(List.of(10, 1)), true).satisfaction(byA, NOTHING))
        .isEqualTo(PartitioningSatisfaction.NOT_SATISFIED);
  }

  private static Partitioning range(
      LexOrdering ordering, List<List<Object>> cuts, boolean distinct) {
    return new Partitioning.Range(ordering, cuts, distinct);
  }

  @Test
  void hashesAreAlikeOnlyByCorrespondingKeys() {
    assertThat(alike(List.of(A, B), List.of(A, B))).isTrue();
    assertThat(alike(List.of(B, A), List.of(B, A))).isTrue();
    assertThat(alike(List.of(A, B), List.of(B, A))).isFalse();
    assertThat(alike(List.of(C), List.of(C))).isFalse();
  }

  /** Two inputs joined by (a, b) = (a, b), hashed like this. */
  private static boolean alike(List<PhysicalExpr> left, List<PhysicalExpr> right) {
    return DistributionCheck.areCoPartitioned(
        new DistributionCheck.Input(new Partitioning.Hash(left, 4), List.of(A, B), NOTHING),
        new DistributionCheck.Input(new Partitioning.Hash(right, 4), List.of(A, B), NOTHING));
  }
}
