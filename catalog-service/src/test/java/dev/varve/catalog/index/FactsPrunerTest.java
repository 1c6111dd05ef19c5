package dev.varve.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.FileFacts;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class FactsPrunerTest {
  private static final OptionalLong NONE = OptionalLong.of(0);
  private static final OptionalLong UNKNOWN = OptionalLong.empty();

  @Test
  void keepsWhatTouchesTheRangeAndDropsWhatDoesNot() {
    assertThat(keeps(at(1), at(2), NONE, NONE, range(2, 3))).isTrue();
    assertThat(keeps(at(1), at(2), NONE, NONE, range(0, 1))).isTrue();
    assertThat(keeps(at(1), at(2), NONE, NONE, range(2.5, 3))).isFalse();
    assertThat(keeps(at(1), at(2), NONE, NONE, range(-1, 0.5))).isFalse();
    assertThat(keeps(Bound.UNKNOWN, at(2), NONE, NONE, range(-1, 0.5))).isTrue();
    assertThat(keeps(at(1), Bound.UNKNOWN, NONE, NONE, range(5, 6))).isTrue();
  }

  @Test
  void nanIsAboveEveryNumber() {
    assertThat(keeps(at(1), at(2), NONE, UNKNOWN, above(5))).isTrue();
    assertThat(keeps(at(1), at(2), NONE, OptionalLong.of(1), above(5))).isTrue();
    assertThat(keeps(at(1), at(2), NONE, NONE, above(5))).isFalse();
    assertThat(keeps(at(1), at(2), NONE, UNKNOWN, range(5, 6))).isFalse();
    assertThat(keeps(at(1), at(2), NONE, UNKNOWN, range(Double.NaN, Double.NaN))).isTrue();
  }

  @Test
  void nullsMatchOnlyWhereTheyAreAllowed() {
    ColumnRange orNull = new ColumnRange(1, Optional.of(key(5)), Optional.of(key(6)), true);
    assertThat(keeps(at(1), at(2), OptionalLong.of(1), NONE, orNull)).isTrue();
    assertThat(keeps(at(1), at(2), UNKNOWN, NONE, orNull)).isTrue();
    assertThat(keeps(at(1), at(2), NONE, NONE, orNull)).isFalse();
    assertThat(keeps(Bound.UNKNOWN, Bound.UNKNOWN, OptionalLong.of(10), NONE, range(1, 2)))
        .as("a file of nulls only has no value in any range")
        .isFalse();
  }

  @Test
  void aColumnWithoutFactsKeepsTheFile() {
    FileFacts bare = new FileFacts("f", 1, 10, 0, 0, Map.of(), List.of(), List.of());
    assertThat(FactsPruner.mayMatch(bare, List.of(range(1, 2)))).isTrue();
  }

  private static boolean keeps(
      Bound lower, Bound upper, OptionalLong nulls, OptionalLong nans, ColumnRange range) {
    ColumnFacts column = new ColumnFacts(1, lower, upper, nulls, nans, OptionalLong.empty());
    return FactsPruner.mayMatch(
        new FileFacts("f", 1, 10, 0, 0, Map.of(1, column), List.of(), List.of()), List.of(range));
  }

  private static ColumnRange range(double from, double to) {
    return new ColumnRange(1, Optional.of(key(from)), Optional.of(key(to)), false);
  }

  private static ColumnRange above(double from) {
    return new ColumnRange(1, Optional.of(key(from)), Optional.empty(), false);
  }

  private static EncodedKey key(double value) {
    return KeyEncoding.encodeDouble(value);
  }

  private static Bound at(double value) {
    return new Bound.Inexact(key(value));
  }
}
