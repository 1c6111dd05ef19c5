package dev.varve.engine.kernel.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Numbers, indexes and sets of keys against maps of boxed values. */
class JoinKernelsTest {
  private static final int SEEDS = 300;

  /** Values around a base, with the ends of the type's range now and then, and nulls. */
  private static @Nullable Long[] values(Random random, DataType type, int count, long base) {
    long spread = 1L << random.nextInt(12);
    @Nullable Long[] values = new Long[count];
    for (int i = 0; i < count; i++) {
      long near = base + random.nextLong(spread);
      values[i] =
          random.nextInt(10) == 0
              ? null
              : switch (type.physical()) {
                case BOOLEAN -> (long) random.nextInt(2);
                case INT -> (long) (int) near;
                default -> near;
              };
    }
    return values;
  }

  private static long base(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Integer.MAX_VALUE - 100;
      case 2 -> Long.MAX_VALUE - 5_000;
      default -> random.nextInt(1_000) - 500;
    };
  }

  /** A slice, so that its row 0 is not at the start of its arrays. */
  private static Column column(DataType type, @Nullable Long[] values) {
    int n = values.length;
    byte[] validity = new byte[n + 1];
    byte[] bytes = new byte[n + 1];
    int[] ints = new int[n + 1];
    long[] longs = new long[n + 1];
    boolean nulls = false;
    for (int i = 0; i < n; i++) {
      Long value = values[i];
      nulls |= value == null;
      validity[i + 1] = (byte) (value == null ? 0 : 1);
      long set = value == null ? 99 : value;
      bytes[i + 1] = (byte) set;
      ints[i + 1] = (int) set;
      longs[i + 1] = set;
    }
    byte[] mask = nulls ? validity : null;
    return switch (type.physical()) {
      case BOOLEAN -> new BooleanColumn(type, bytes, 1, n, mask);
      case INT -> new IntColumn(type, ints, 1, n, mask);
      default -> new LongColumn(type, longs, 1, n, mask);
    };
  }

  private static DataType type(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> DataType.BOOLEAN;
      case 1 -> DataType.INTEGER;
      case 2 -> DataType.DATE;
      default -> DataType.BIGINT;
    };
  }

  private record Keys(List<DataType> types, List<@Nullable Long[]> values) {
    List<@Nullable Long> row(int row) {
      List<@Nullable Long> key = new ArrayList<>();
      values.forEach(v -> key.add(v[row]));
      return key;
    }

    Column[] columns() {
      Column[] columns = new Column[types.size()];
      for (int k = 0; k < columns.length; k++) {
        columns[k] = column(types.get(k), values.get(k));
      }
      return columns;
    }
  }

  private static Keys keys(Random random, List<DataType> types, long[] bases, int rows) {
    List<@Nullable Long[]> values = new ArrayList<>();
    for (int k = 0; k < types.size(); k++) {
      values.add(values(random, types.get(k), rows, bases[k]));
    }
    return new Keys(types, values);
  }

  private static boolean matches(List<@Nullable Long> key, boolean[] nullsEqual) {
    for (int k = 0; k < nullsEqual.length; k++) {
      if (key.get(k) == null && !nullsEqual[k]) {
        return false;
      }
    }
    return true;
  }

  @Test
  void indexesFindEachRowOfAKeyInItsSequenceAndNoOther() {
    int dense = 0;
    int hashed = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      int keyCount = 1 + random.nextInt(3);
      List<DataType> types = new ArrayList<>();
      long[] bases = new long[keyCount];
      boolean[] nullsEqual = new boolean[keyCount];
      for (int k = 0; k < keyCount; k++) {
        types.add(type(random));
        bases[k] = base(random);
        nullsEqual[k] = random.nextInt(3) == 0;
      }
      Keys build = keys(random, types, bases, random.nextInt(400));
      Keys probe = keys(random, types, bases, 300);
      int rows = build.values().get(0).length;
      List<KeyBounds> bounds = new ArrayList<>();
      for (Column column : build.columns()) {
        KeyBounds one = new KeyBounds();
        one.add(column);
        bounds.add(one);
      }
      Optional<KeyPacking> packing = KeyPacking.of(bounds, nullsEqual);
      if (packing.isEmpty()) {
        continue;
      }
      long[] numbers = new long[rows];
      packing.get().pack(build.columns(), rows, numbers);
      long[] wanted = new long[300];
      packing.get().pack(probe.columns(), 300, wanted);
      List<NumberIndex> indexes = new ArrayList<>();
      for (int parts : new int[] {1, 4}) {
        if (DenseIndex.suits(packing.get(), rows)) {
          indexes.add(filled(DenseIndex.of(packing.get(), numbers), parts));
          dense++;
        }
        indexes.add(filled(HashIndex.of(packing.get(), numbers, parts, 5, false), parts));
        hashed++;
      }
      indexes.add(filled(HashIndex.of(packing.get(), numbers, 1, 5, true), 1));
      Map<List<@Nullable Long>, List<Integer>> expected = new HashMap<>();
      for (int row = 0; row < rows; row++) {
        if (matches(build.row(row), nullsEqual)) {
          expected.computeIfAbsent(build.row(row), key -> new ArrayList<>()).add(row);
        }
      }
      for (NumberIndex index : indexes) {
        int[] firsts = new int[300];
        index.find(wanted, 300, firsts, new NumberIndex.Scratch());
        for (int i = 0; i < 300; i++) {
          List<@Nullable Long> key = probe.row(i);
          assertThat(chain(index, firsts[i]))
              .as("seed %d, %s, key %s", seed, index.getClass().getSimpleName(), key)
              .isEqualTo(
                  matches(key, nullsEqual) ? expected.getOrDefault(key, List.of()) : List.of());
        }
        boolean repeats = expected.values().stream().anyMatch(list -> list.size() > 1);
        assertThat(index.next() != null).as("seed %d: has chains", seed).isEqualTo(repeats);
      }
    }
    assertThat(dense).isGreaterThan(100);
    assertThat(hashed).isGreaterThan(300);
  }

  private static NumberIndex filled(NumberIndex index, int parts) {
    for (int part = 0; part < parts; part++) {
      assertThat(index.insert(part, parts)).isTrue();
    }
    index.finish();
    return index;
  }

  private static List<Integer> chain(NumberIndex index, int first) {
    List<Integer> rows = new ArrayList<>();
    int[] next = index.next();
    for (int row = first; row >= 0; row = next == null ? -1 : next[row]) {
      rows.add(row);
    }
    return rows;
  }

  @Test
  void keysTooFarApartHaveNoNumbers() {
    KeyBounds all = new KeyBounds();
    all.add(column(DataType.BIGINT, new Long[] {Long.MIN_VALUE, Long.MAX_VALUE}));
    assertThat(KeyPacking.of(List.of(all), new boolean[1])).isEmpty();
    KeyBounds wide = new KeyBounds();
    wide.add(column(DataType.BIGINT, new Long[] {0L, 1L << 40}));
    assertThat(KeyPacking.of(List.of(wide), new boolean[1])).isPresent();
    assertThat(KeyPacking.of(List.of(wide, wide), new boolean[2])).isEmpty();
    KeyBounds half = new KeyBounds();
    half.add(column(DataType.BIGINT, new Long[] {Long.MIN_VALUE, 5L}));
    KeyPacking packing = KeyPacking.of(List.of(half), new boolean[1]).orElseThrow();
    long[] numbers = new long[3];
    packing.pack(
        new Column[] {column(DataType.BIGINT, new Long[] {Long.MIN_VALUE, 5L, 6L})}, 3, numbers);
    assertThat(numbers).containsExactly(0, Long.MIN_VALUE + 5, packing.none());
  }

  @Test
  void setsHaveTheirValuesAndFewOthers() {
    int exact = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      DataType type = type(random);
      long base = base(random);
      @Nullable Long[] values = values(random, type, 1 + random.nextInt(500), base);
      if (random.nextInt(3) == 0 && type.equals(DataType.BIGINT)) {
        values[0] = random.nextLong();
      }
      Column column = column(type, values);
      KeyBounds bounds = new KeyBounds();
      bounds.add(column);
      if (!bounds.hasValues()) {
        continue;
      }
      KeySet set = KeySet.of(bounds, List.of(column));
      Set<Long> expected = new HashSet<>();
      for (Long value : values) {
        if (value != null) {
          expected.add(value);
        }
      }
      @Nullable Long[] asked = values(random, type, 1_000, base);
      System.arraycopy(values, 0, asked, 0, values.length);
      for (boolean withNulls : new boolean[] {false, true}) {
        int[] selection = new int[1_000];
        int count = set.select(column(type, asked), withNulls, selection);
        Set<Integer> selected = new HashSet<>();
        for (int i = 0; i < count; i++) {
          selected.add(selection[i]);
        }
        assertThat(selected).hasSize(count);
        int wrong = 0;
        for (int i = 0; i < 1_000; i++) {
          boolean wanted = asked[i] == null ? withNulls : expected.contains(asked[i]);
          if (wanted) {
            assertThat(selected).as("seed %d, value %s", seed, asked[i]).contains(i);
          } else if (selected.contains(i)) {
            wrong++;
            assertThat(asked[i]).as("seed %d: a null", seed).isNotNull();
          }
        }
        assertThat(wrong).as("seed %d: values too many", seed).isLessThan(200);
        if (set.values(1_000).isPresent()) {
          assertThat(wrong).isZero();
        }
      }
      Optional<long[]> listed = set.values(1_000);
      if (listed.isPresent()) {
        exact++;
        assertThat(listed.get())
            .as("seed %d", seed)
            .containsExactly(
                expected.stream().filter(Objects::nonNull).mapToLong(v -> v).sorted().toArray());
        assertThat(set.values(expected.size() - 1)).isEmpty();
      }
    }
    assertThat(exact).isBetween(100, SEEDS - 20);
  }
}
