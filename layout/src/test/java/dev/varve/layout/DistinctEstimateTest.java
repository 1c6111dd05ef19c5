package dev.varve.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.layout.DistinctEstimate.Part;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DistinctEstimateTest {
  private static Part part(long low, long high, long values, long distinct) {
    return new Part(
        new Bound.Exact(KeyEncoding.encodeLong(low)),
        new Bound.Exact(KeyEncoding.encodeLong(high)),
        values,
        distinct);
  }

  private static long combined(List<Part> parts) {
    return DistinctEstimate.combine(parts).orElseThrow();
  }

  @Test
  void partsBesideOneAnotherShareNothing() {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < 49; i++) {
      parts.add(part(i * 1000L, i * 1000L + 999, 4000, 1000));
    }
    assertThat(combined(parts)).isEqualTo(49_000);
  }

  @Test
  void partsOfOneSmallDomainHaveTheSameValues() {
    assertThat(combined(List.of(part(1, 50, 100_000, 50), part(1, 50, 100_000, 50)))).isEqualTo(50);
    Bound a = new Bound.Inexact(EncodedKey.of(new byte[] {'A', 'I', 'R'}));
    Bound t = new Bound.Inexact(EncodedKey.of(new byte[] {'T', 'R', 'U'}));
    assertThat(combined(List.of(new Part(a, t, 5000, 7), new Part(a, t, 5000, 7)))).isEqualTo(7);
  }

  @Test
  void uniqueValuesStayUnique() {
    assertThat(combined(List.of(part(1, 1_000_000, 5000, 5000), part(3, 999_999, 5000, 5000))))
        .isEqualTo(10_000);
  }

  @Test
  void samplesOfOneDomainShowItsSize() {
    Random random = new Random(7);
    Set<Long> all = new HashSet<>();
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Set<Long> seen = new HashSet<>();
      for (int j = 0; j < 100_000; j++) {
        seen.add((long) random.nextInt(150_000));
      }
      all.addAll(seen);
      parts.add(part(0, 150_000, 100_000, seen.size()));
    }
    assertThat((double) combined(parts) / all.size()).isBetween(0.95, 1.05);
  }

  @Test
  void nothingIsSaidOfPartsWithoutValuesAndBoundsMayBeUnknown() {
    assertThat(combined(List.of(part(1, 1, 0, 0)))).isZero();
    Part unknown = new Part(Bound.UNKNOWN, Bound.UNKNOWN, 1000, 10);
    assertThat(combined(List.of(unknown, unknown))).isEqualTo(10);
    assertThat(
            combined(
                List.of(
                    new Part(
                        new Bound.Exact(KeyEncoding.encodeValue(KeyType.STRING, "x")),
                        new Bound.Exact(KeyEncoding.encodeValue(KeyType.STRING, "x")),
                        10,
                        1),
                    new Part(
                        new Bound.Exact(KeyEncoding.encodeValue(KeyType.STRING, "y")),
                        new Bound.Exact(KeyEncoding.encodeValue(KeyType.STRING, "y")),
                        10,
                        1))))
        .isEqualTo(2);
  }
}
