package dev.varve.layout.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.layout.NullOrder;
import dev.varve.layout.SortDirection;
import dev.varve.layout.key.KeyEncoding.Part;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/**
 * Byte order is value order; the oracle knows nothing of the encoding. The generators mix the
 * hostile values in themselves: jqwik's own edge cases multiply without bound over composite keys.
 */
class KeyOrderPropertyTest {
  /** Two rows of the same key parts. */
  record Rows(List<Part> parts, List<@Nullable Object> left, List<@Nullable Object> right) {}

  /** Two values of one type. */
  record Values(KeyType type, Object left, Object right) {}

  @Property(tries = 5_000, edgeCases = EdgeCasesMode.NONE)
  void byteOrderOfBoundsIsValueOrder(@ForAll("values") Values values) {
    EncodedKey left = KeyEncoding.encodeValue(values.type(), values.left());
    EncodedKey right = KeyEncoding.encodeValue(values.type(), values.right());
    assertThat(Integer.signum(left.compareTo(right)))
        .isEqualTo(ValueOrder.compare(values.type(), values.left(), values.right()));
    Part part = new Part(values.type(), SortDirection.DESC, NullOrder.NULLS_FIRST);
    assertThat(new KeyWriter().appendEncoded(part, left).toKey())
        .isEqualTo(KeyEncoding.encode(List.of(part), List.of(values.left())));
    assertThat(
            ValueOrder.same(
                values.type(), KeyEncoding.decodeValue(values.type(), left), values.left()))
        .isTrue();
  }

  @Property(tries = 10_000, edgeCases = EdgeCasesMode.NONE)
  void byteOrderOfKeysIsRowOrder(@ForAll("rows") Rows rows) {
    EncodedKey left = KeyEncoding.encode(rows.parts(), rows.left());
    EncodedKey right = KeyEncoding.encode(rows.parts(), rows.right());
    int expected = ValueOrder.compareRows(rows.parts(), rows.left(), rows.right());
    assertThat(Integer.signum(left.compareTo(right))).isEqualTo(expected);
    KeyWriter first = writer(rows.parts(), rows.left());
    KeyWriter second = writer(rows.parts(), rows.right());
    assertThat(Integer.signum(first.compareTo(second))).isEqualTo(expected);
    if (expected != 0) {
      assertThat(isPrefix(left, right) || isPrefix(right, left)).isFalse();
    }
  }

  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void keysDecodeToTheirValues(@ForAll("rows") Rows rows) {
    List<@Nullable Object> back =
        KeyEncoding.decode(rows.parts(), KeyEncoding.encode(rows.parts(), rows.left()));
    assertThat(ValueOrder.compareRows(rows.parts(), back, rows.left())).isZero();
  }

  @Property(tries = 5_000, edgeCases = EdgeCasesMode.NONE)
  void truncationIsConservativeAndKeepsOrder(
      @ForAll("rows") Rows rows, @ForAll @IntRange(min = 1, max = 24) int length) {
    EncodedKey a = KeyEncoding.encode(rows.parts(), rows.left());
    EncodedKey b = KeyEncoding.encode(rows.parts(), rows.right());
    EncodedKey least = a.compareTo(b) <= 0 ? a : b;
    EncodedKey greatest = a.compareTo(b) <= 0 ? b : a;
    assertThat(KeyTruncation.upper(greatest, length))
        .as("a composite has an upper cut")
        .isPresent();
    checkTruncation(least, greatest, length);
  }

  @Property(tries = 5_000, edgeCases = EdgeCasesMode.NONE)
  void truncationOfRawBytesIsConservativeAndKeepsOrder(
      @ForAll("hostileBytes") byte[] left,
      @ForAll("hostileBytes") byte[] right,
      @ForAll @IntRange(min = 1, max = 8) int length) {
    EncodedKey a = EncodedKey.of(left);
    EncodedKey b = EncodedKey.of(right);
    checkTruncation(a.compareTo(b) <= 0 ? a : b, a.compareTo(b) <= 0 ? b : a, length);
  }

  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void decimalsInTwoLongsEncodeLikeBigIntegers(@ForAll("decimals") BigInteger value) {
    Part part = new Part(KeyType.DECIMAL, SortDirection.DESC, NullOrder.NULLS_LAST);
    EncodedKey expected = KeyEncoding.encode(List.of(part), List.of(value));
    long high = value.shiftRight(64).longValue();
    assertThat(new KeyWriter().appendDecimal(part, high, value.longValue()).toKey())
        .isEqualTo(expected);
    if (value.bitLength() < 64) {
      assertThat(new KeyWriter().appendDecimal(part, value.longValue()).toKey())
          .isEqualTo(expected);
    }
  }

  private static void checkTruncation(EncodedKey least, EncodedKey greatest, int length) {
    EncodedKey lower = KeyTruncation.lower(least, length);
    assertThat(lower.length()).isLessThanOrEqualTo(length);
    assertThat(lower).isLessThanOrEqualTo(least);
    assertThat(lower).isLessThanOrEqualTo(KeyTruncation.lower(greatest, length));
    Optional<EncodedKey> upper = KeyTruncation.upper(greatest, length);
    Optional<EncodedKey> upperOfLeast = KeyTruncation.upper(least, length);
    if (upper.isPresent()) {
      assertThat(upper.get().length()).isLessThanOrEqualTo(length);
      assertThat(upper.get()).isGreaterThanOrEqualTo(greatest);
      assertThat(upperOfLeast).isPresent();
      assertThat(upperOfLeast.orElseThrow()).isLessThanOrEqualTo(upper.get());
    }
  }

  private static KeyWriter writer(List<Part> parts, List<@Nullable Object> row) {
    KeyWriter writer = new KeyWriter(1);
    writer.appendNull(parts.getFirst()).reset();
    for (int i = 0; i < parts.size(); i++) {
      KeyEncoding.append(writer, parts.get(i), row.get(i));
    }
    return new KeyWriter().copyFrom(writer);
  }

  private static boolean isPrefix(EncodedKey prefix, EncodedKey key) {
    return prefix.length() <= key.length()
        && Arrays.equals(prefix.toByteArray(), Arrays.copyOf(key.toByteArray(), prefix.length()));
  }

  @Provide
  Arbitrary<Values> values() {
    return Arbitraries.of(KeyType.values())
        .flatMap(
            type ->
                Combinators.combine(values(type), values(type))
                    .as((left, right) -> new Values(type, left, right)));
  }

  @Provide
  Arbitrary<Rows> rows() {
    Arbitrary<Part> part =
        Combinators.combine(
                Arbitraries.of(KeyType.values()),
                Arbitraries.of(SortDirection.values()),
                Arbitraries.of(NullOrder.values()))
            .as(Part::new);
    return part.list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .flatMap(
            parts ->
                Combinators.combine(row(parts), row(parts), Arbitraries.integers().between(0, 4))
                    .as(
                        (left, right, shared) ->
                            new Rows(parts, left, share(left, right, shared))));
  }

  /** Rows that agree in their first parts are the ones that test the later ones. */
  private static List<@Nullable Object> share(
      List<@Nullable Object> left, List<@Nullable Object> right, int shared) {
    List<@Nullable Object> mixed = new ArrayList<>(right);
    for (int i = 0; i < Math.min(shared, left.size()); i++) {
      mixed.set(i, left.get(i));
    }
    return mixed;
  }

  private Arbitrary<List<@Nullable Object>> row(List<Part> parts) {
    List<Arbitrary<@Nullable Object>> columns = new ArrayList<>();
    for (Part part : parts) {
      columns.add(values(part.type()).injectNull(0.15));
    }
    return Combinators.combine(columns).as(row -> row);
  }

  private Arbitrary<Object> values(KeyType type) {
    return switch (type) {
      case BOOLEAN -> Arbitraries.of(true, false).asGeneric();
      case INTEGRAL ->
          Arbitraries.oneOf(
                  Arbitraries.longs(),
                  Arbitraries.longs().between(-3, 3),
                  Arbitraries.of(Long.MIN_VALUE, Long.MAX_VALUE, -1L, 0L, 255L, 256L))
              .asGeneric();
      case FLOATING ->
          Arbitraries.oneOf(
                  Arbitraries.longs().map(Double::longBitsToDouble),
                  Arbitraries.doubles().between(-2, 2),
                  Arbitraries.of(
                      0.0,
                      -0.0,
                      Double.NaN,
                      Double.longBitsToDouble(0xFFF8000000000001L),
                      Double.NEGATIVE_INFINITY,
                      Double.POSITIVE_INFINITY,
                      Double.MIN_VALUE,
                      -Double.MIN_VALUE,
                      (double) Float.MAX_VALUE,
                      -Double.MAX_VALUE))
              .asGeneric();
      case DECIMAL -> decimals().asGeneric();
      case STRING -> strings().asGeneric();
      case BINARY -> hostileBytes().asGeneric();
      case UUID ->
          Combinators.combine(
                  Arbitraries.oneOf(Arbitraries.longs(), Arbitraries.of(0L, -1L, 1L)),
                  Arbitraries.oneOf(Arbitraries.longs(), Arbitraries.of(0L, -1L, 1L)))
              .as((high, low) -> (Object) new UUID(high, low));
    };
  }

  @Provide
  Arbitrary<BigInteger> decimals() {
    BigInteger limit = BigInteger.TEN.pow(38);
    List<BigInteger> edges = new ArrayList<>();
    for (int bit : new int[] {0, 7, 8, 31, 32, 63, 64, 65, 119, 120, 126}) {
      BigInteger power = BigInteger.ONE.shiftLeft(bit);
      edges.addAll(
          List.of(
              power, power.negate(), power.subtract(BigInteger.ONE), power.not(), limit.negate()));
    }
    edges.add(BigInteger.ZERO);
    return Arbitraries.oneOf(
        Arbitraries.bigIntegers().between(limit.negate(), limit),
        Arbitraries.longs().map(BigInteger::valueOf),
        Arbitraries.of(edges));
  }

  private static Arbitrary<String> strings() {
    Arbitrary<Integer> codePoints =
        Arbitraries.oneOf(
            Arbitraries.of(
                0, 1, 0x61, 0x62, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000,
                0x10FFFF),
            Arbitraries.integers().between(0x61, 0x64),
            Arbitraries.integers()
                .between(0, Character.MAX_CODE_POINT)
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE));
    return codePoints
        .list()
        .ofMaxSize(12)
        .map(
            points -> {
              StringBuilder text = new StringBuilder();
              points.forEach(text::appendCodePoint);
              return text.toString();
            });
  }

  @Provide
  Arbitrary<byte[]> hostileBytes() {
    return Arbitraries.oneOf(
            Arbitraries.of((byte) 0, (byte) 1, (byte) 0xFF, (byte) 0xFE), Arbitraries.bytes())
        .array(byte[].class)
        .ofMaxSize(12);
  }

  /** The order of values in plain Java, by definition rather than by bytes. */
  static final class ValueOrder {
    private ValueOrder() {}

    static int compareRows(
        List<Part> parts, List<@Nullable Object> left, List<@Nullable Object> right) {
      for (int i = 0; i < parts.size(); i++) {
        int order = comparePart(parts.get(i), left.get(i), right.get(i));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }

    private static int comparePart(Part part, @Nullable Object left, @Nullable Object right) {
      if (left == null || right == null) {
        int nullFirst = left == right ? 0 : left == null ? -1 : 1;
        return part.nullOrder() == NullOrder.NULLS_FIRST ? nullFirst : -nullFirst;
      }
      int order = compare(part.type(), left, right);
      return part.direction() == SortDirection.ASC ? order : -order;
    }

    static boolean same(KeyType type, Object left, Object right) {
      return compare(type, left, right) == 0;
    }

    static int compare(KeyType type, Object left, Object right) {
      return switch (type) {
        case BOOLEAN -> Boolean.compare((Boolean) left, (Boolean) right);
        case INTEGRAL -> Long.compare((Long) left, (Long) right);
        case FLOATING -> compareDoubles((Double) left, (Double) right);
        case DECIMAL -> ((BigInteger) left).compareTo((BigInteger) right);
        case STRING -> compareCodePoints((String) left, (String) right);
        case BINARY -> compareBytes((byte[]) left, (byte[]) right);
        case UUID ->
            compareBytes(
                left.toString().getBytes(StandardCharsets.US_ASCII),
                right.toString().getBytes(StandardCharsets.US_ASCII));
      };
    }

    private static int compareDoubles(double left, double right) {
      if (Double.isNaN(left) || Double.isNaN(right)) {
        return Boolean.compare(Double.isNaN(left), Double.isNaN(right));
      }
      return left < right ? -1 : left > right ? 1 : 0;
    }

    private static int compareCodePoints(String left, String right) {
      int[] a = left.codePoints().toArray();
      int[] b = right.codePoints().toArray();
      for (int i = 0; i < Math.min(a.length, b.length); i++) {
        if (a[i] != b[i]) {
          return Integer.compare(a[i], b[i]);
        }
      }
      return Integer.compare(a.length, b.length);
    }

    private static int compareBytes(byte[] left, byte[] right) {
      for (int i = 0; i < Math.min(left.length, right.length); i++) {
        int order = Integer.compare(left[i] & 0xFF, right[i] & 0xFF);
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(left.length, right.length);
    }
  }
}
