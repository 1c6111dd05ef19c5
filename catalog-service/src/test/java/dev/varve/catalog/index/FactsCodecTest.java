package dev.varve.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.RowGroupFacts;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import dev.varve.layout.key.EncodedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FactsCodecTest {
  @Test
  void whatIsPackedComesBack() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      Map<Integer, ColumnFacts> columns = columns(random);
      List<OrderingFact> orderings = orderings(random);
      FactsCodec.FileStats stats = FactsCodec.decodeStats(encoded(columns, orderings));
      assertThat(stats.columns()).as("seed %d", seed).isEqualTo(columns);
      assertThat(stats.orderings()).as("seed %d", seed).isEqualTo(orderings);
      List<RowGroupFacts> groups = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        groups.add(new RowGroupFacts(random.nextLong() >>> 20, random.nextInt(9), columns(random)));
      }
      assertThat(FactsCodec.decodeRowGroups(FactsCodec.encodeRowGroups(groups)))
          .as("seed %d", seed)
          .isEqualTo(groups);
    }
  }

  @Test
  void aBlobThatIsCutOrTooLongIsRefused() {
    Random random = new Random(7);
    byte[] blob = encoded(columns(random), orderings(random));
    for (int length = 0; length < blob.length; length++) {
      byte[] cut = Arrays.copyOf(blob, length);
      assertThatThrownBy(() -> FactsCodec.decodeStats(cut))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThatThrownBy(() -> FactsCodec.decodeStats(Arrays.copyOf(blob, blob.length + 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("left");
  }

  private static byte[] encoded(Map<Integer, ColumnFacts> columns, List<OrderingFact> orderings) {
    return FactsCodec.encodeStats(
        new FileFacts("p", 1, 1, 0, 0, columns, List.of(), orderings, Optional.empty()));
  }

  private static Map<Integer, ColumnFacts> columns(Random random) {
    Map<Integer, ColumnFacts> columns = new HashMap<>();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      int fieldId = random.nextInt(1_000);
      columns.put(
          fieldId,
          new ColumnFacts(
              fieldId, bound(random), bound(random), count(random), count(random), count(random)));
    }
    return columns;
  }

  private static List<OrderingFact> orderings(Random random) {
    List<OrderingFact> orderings = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      List<OrderingField> fields = new ArrayList<>();
      for (int field = 1 + random.nextInt(3); field > 0; field--) {
        fields.add(
            new OrderingField(
                field * 100,
                SortDirection.values()[random.nextInt(2)],
                NullOrder.values()[random.nextInt(2)]));
      }
      EncodedKey one = key(random);
      EncodedKey other = key(random);
      boolean ordered = one.compareTo(other) <= 0;
      orderings.add(
          new OrderingFact(
              new TableOrdering(fields),
              Trust.values()[random.nextInt(3)],
              random.nextBoolean()
                  ? Optional.empty()
                  : Optional.of(
                      new KeyRange(
                          ordered ? one : other,
                          random.nextBoolean(),
                          ordered ? other : one,
                          random.nextBoolean()))));
    }
    return orderings;
  }

  private static Bound bound(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> Bound.UNKNOWN;
      case 1 -> new Bound.Exact(key(random));
      default -> new Bound.Inexact(key(random));
    };
  }

  private static OptionalLong count(Random random) {
    return random.nextBoolean()
        ? OptionalLong.empty()
        : OptionalLong.of(random.nextLong() >>> random.nextInt(1, 64));
  }

  private static EncodedKey key(Random random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return EncodedKey.of(bytes);
  }
}
