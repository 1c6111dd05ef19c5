package dev.varve.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.FileFacts;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatPageTest {
  private static final int RECORDS = 10;

  @Test
  void noFileIsLostThatItsFactsKeep() {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("StatPageTest: -Dvarve.seed=" + seed);
    Random random = new Random(seed);
    long lost = 0;
    long kept = 0;
    long dropped = 0;
    for (int round = 0; round < 3_000; round++) {
      Keys keys = new Keys(random);
      List<StatPage.Entry> entries = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(100); i++) {
        entries.add(keys.entry());
      }
      StatPage page = page(entries, random);
      ColumnRange range = keys.range();
      boolean[] in = kept(page, range);
      for (int i = 0; i < entries.size(); i++) {
        boolean byFacts = FactsPruner.mayMatch(file(entries.get(i)), List.of(range));
        lost += byFacts && !in[i] ? 1 : 0;
        kept += in[i] && !byFacts ? 1 : 0;
        dropped += in[i] ? 0 : 1;
      }
      assertThat(lost).as("seed %d, round %d: %s", seed, round, range).isZero();
    }
    assertThat(dropped).as("files that need no look at their facts").isGreaterThan(10_000);
    assertThat(kept).as("files kept although their facts rule them out").isLessThan(dropped / 10);
  }

  /** Made at once, from two parts, or read back: it must not matter. */
  private static StatPage page(List<StatPage.Entry> entries, Random random) {
    int cut = random.nextInt(entries.size());
    StatPage page =
        cut == 0 || random.nextBoolean()
            ? StatPage.of(entries)
            : StatPage.of(entries.subList(0, cut))
                .plus(StatPage.of(entries.subList(cut, entries.size())));
    return random.nextBoolean() ? page : StatPage.decode(page.encode(), page.files());
  }

  @Test
  void whatAllBoundsBeginWithCostsNoPrecision() {
    List<StatPage.Entry> entries =
        IntStream.range(0, 500)
            .mapToObj(i -> entry(text("region-of-the-north-%06d".formatted(i)), RECORDS))
            .toList();
    EncodedKey wanted = text("region-of-the-north-000123");
    StatPage halves =
        StatPage.of(entries.subList(0, 200)).plus(StatPage.of(entries.subList(200, 500)));
    for (StatPage page : List.of(StatPage.of(entries), halves)) {
      assertThat(count(kept(page, point(wanted)))).isEqualTo(1);
      assertThat(count(kept(page, point(text("region-of-the-south-000123"))))).isZero();
      assertThat(count(kept(page, point(text("r"))))).isZero();
      ColumnRange three =
          ColumnRange.of(
              1, IntStream.of(7, 300, 450).mapToObj(StatPageTest::numbered).toList(), false);
      assertThat(count(kept(page, three))).as("values far apart").isEqualTo(3);
    }
  }

  @Test
  void filesWithoutFactsAreKeptBesideOthers() {
    List<StatPage.Entry> entries =
        List.of(entry(numbered(1), RECORDS), new StatPage.Entry(null, RECORDS));
    assertThat(kept(StatPage.of(entries), point(numbered(2)))).containsExactly(false, true);
    assertThat(kept(StatPage.of(entries), ColumnRange.of(1, List.of(), true)))
        .as("nulls only")
        .containsExactly(false, true);
  }

  private static EncodedKey numbered(int i) {
    return text("region-of-the-north-%06d".formatted(i));
  }

  private static EncodedKey text(String value) {
    return EncodedKey.of(value.getBytes(StandardCharsets.UTF_8));
  }

  private static ColumnRange point(EncodedKey key) {
    return new ColumnRange(1, Optional.of(key), Optional.of(key), false);
  }

  private static StatPage.Entry entry(EncodedKey value, long records) {
    return new StatPage.Entry(
        new ColumnFacts(
            1,
            new Bound.Exact(value),
            new Bound.Exact(value),
            OptionalLong.of(0),
            OptionalLong.of(0),
            OptionalLong.empty()),
        records);
  }

  private static FileFacts file(StatPage.Entry entry) {
    ColumnFacts facts = entry.facts();
    return new FileFacts(
        "f",
        1,
        entry.records(),
        0,
        0,
        facts == null ? Map.of() : Map.of(1, facts),
        List.of(),
        List.of());
  }

  private static boolean[] kept(StatPage page, ColumnRange range) {
    long[] bits = new long[(page.files() + 63) / 64];
    for (int i = 0; i < page.files(); i++) {
      bits[i >> 6] |= 1L << i;
    }
    page.keep(range, bits);
    boolean[] kept = new boolean[page.files()];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = (bits[i >> 6] & 1L << i) != 0;
    }
    return kept;
  }

  private static int count(boolean[] kept) {
    int count = 0;
    for (boolean one : kept) {
      count += one ? 1 : 0;
    }
    return count;
  }

  /** Random facts and ranges of one type. */
  private static final class Keys {
    private final Random random;
    private final int type;
    private final String prefix;

    Keys(Random random) {
      this.random = random;
      this.type = random.nextInt(4);
      this.prefix = "p".repeat(random.nextInt(14));
    }

    private EncodedKey key() {
      return switch (type) {
        case 0 -> KeyEncoding.encodeLong(random.nextInt(-300, 300));
        case 1 ->
            KeyEncoding.encodeDouble(
                random.nextInt(20) == 0 ? Double.NaN : random.nextGaussian() * 100);
        case 2 ->
            KeyEncoding.encodeValue(
                KeyType.DECIMAL, java.math.BigInteger.valueOf(random.nextInt(-70_000, 70_000)));
        default -> bytes();
      };
    }

    /** Common beginnings, zeros and FF, longer and shorter than eight bytes. */
    private EncodedKey bytes() {
      byte[] begin = random.nextInt(30) == 0 ? new byte[0] : text(prefix).toByteArray();
      byte[] end = new byte[random.nextInt(12)];
      for (int i = 0; i < end.length; i++) {
        end[i] = (byte) new int[] {0, 1, 'a', 'b', 0xFE, 0xFF}[random.nextInt(6)];
      }
      byte[] all = java.util.Arrays.copyOf(begin, begin.length + end.length);
      System.arraycopy(end, 0, all, begin.length, end.length);
      return EncodedKey.of(all);
    }

    StatPage.Entry entry() {
      if (random.nextInt(20) == 0) {
        return new StatPage.Entry(null, RECORDS);
      }
      EncodedKey a = bound();
      EncodedKey b = bound();
      boolean swap = a.compareTo(b) > 0;
      return new StatPage.Entry(
          new ColumnFacts(
              1,
              bound(swap ? b : a),
              bound(swap ? a : b),
              count(),
              type == 1 ? count() : OptionalLong.of(0),
              OptionalLong.empty()),
          RECORDS);
    }

    /** Never NaN, which bounds leave out. */
    private EncodedKey bound() {
      EncodedKey key = key();
      return type == 1 && key.equals(KeyEncoding.encodeDouble(Double.NaN)) ? bound() : key;
    }

    private Bound bound(EncodedKey key) {
      return switch (random.nextInt(12)) {
        case 0 -> Bound.UNKNOWN;
        case 1, 2 -> new Bound.Inexact(key);
        default -> new Bound.Exact(key);
      };
    }

    private OptionalLong count() {
      return switch (random.nextInt(8)) {
        case 0 -> OptionalLong.empty();
        case 1 -> OptionalLong.of(RECORDS);
        case 2 -> OptionalLong.of(3);
        default -> OptionalLong.of(0);
      };
    }

    ColumnRange range() {
      boolean nulls = random.nextInt(4) == 0;
      if (random.nextInt(4) == 0) {
        List<EncodedKey> points =
            IntStream.range(0, random.nextInt(5)).mapToObj(i -> key()).sorted().toList();
        return ColumnRange.of(1, points, nulls);
      }
      EncodedKey a = key();
      EncodedKey b = key();
      boolean swap = a.compareTo(b) > 0;
      return new ColumnRange(
          1,
          random.nextInt(4) == 0 ? Optional.empty() : Optional.of(swap ? b : a),
          random.nextInt(4) == 0 ? Optional.empty() : Optional.of(swap ? a : b),
          nulls);
    }
  }
}
