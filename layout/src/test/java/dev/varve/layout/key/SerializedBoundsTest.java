package dev.varve.layout.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.layout.Bound;
import dev.varve.layout.key.SerializedBounds.Width;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SerializedBoundsTest {

  /** Older Iceberg compared uuids as two signed halves. */
  @Test
  void signedUuidBoundsNeverExcludeAValue() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    int bounded = 0;
    for (int round = 0; round < 20_000; round++) {
      UUID[] values = new UUID[1 + random.nextInt(4)];
      Arrays.setAll(values, i -> new UUID(random.nextLong(), random.nextLong()));
      UUID[] sorted = values.clone();
      Arrays.sort(sorted, SerializedBoundsTest::compareSigned);
      SerializedBounds bounds =
          SerializedBounds.of(
              KeyType.UUID, Width.OWN, bytes(sorted[0]), bytes(sorted[sorted.length - 1]));
      bounded += bounds.lower() instanceof Bound.Inexact ? 1 : 0;
      for (UUID value : values) {
        assertThat(admits(bounds, KeyEncoding.encodeValue(KeyType.UUID, value)))
            .as("seed %d, %s", seed, value)
            .isTrue();
      }
    }
    assertThat(bounded).as("some bounds are of use").isPositive();
  }

  @Test
  void uuidBoundsOfTheRightOrderStillNarrow() {
    SerializedBounds bounds =
        SerializedBounds.of(
            KeyType.UUID, Width.OWN, bytes(new UUID(16, 5)), bytes(new UUID(32, 7)));
    assertThat(admits(bounds, KeyEncoding.encodeValue(KeyType.UUID, new UUID(15, -1)))).isFalse();
    assertThat(admits(bounds, KeyEncoding.encodeValue(KeyType.UUID, new UUID(33, 0)))).isFalse();
    assertThat(admits(bounds, KeyEncoding.encodeValue(KeyType.UUID, new UUID(32, -1)))).isTrue();
  }

  @Test
  void notANumberOfEitherSignIsNoBound() {
    double negative = Double.longBitsToDouble(0xFFF8_0000_0000_0001L);
    for (double nan : new double[] {Double.NaN, negative}) {
      SerializedBounds lower =
          SerializedBounds.of(KeyType.FLOATING, Width.OWN, little(nan), little(5.0));
      assertThat(lower.lower()).isEqualTo(Bound.UNKNOWN);
      assertThat(lower.upper()).isInstanceOf(Bound.Inexact.class);
      SerializedBounds upper =
          SerializedBounds.of(KeyType.FLOATING, Width.OWN, little(1.0), little(nan));
      assertThat(upper.upper()).isEqualTo(Bound.UNKNOWN);
      assertThat(upper.lower()).isInstanceOf(Bound.Inexact.class);
    }
  }

  @Test
  void zerosAreOneValue() {
    SerializedBounds bounds =
        SerializedBounds.of(KeyType.FLOATING, Width.OWN, little(0.0), little(0.0));
    assertThat(admits(bounds, KeyEncoding.encodeDouble(-0.0))).isTrue();
    assertThat(bounds)
        .isEqualTo(SerializedBounds.of(KeyType.FLOATING, Width.OWN, little(-0.0), little(-0.0)));
  }

  /** Decoded and encoded again, the cut character would become a greater one. */
  @Test
  void aStringCutInsideACharacterKeepsItsBytes() {
    byte[] cut = {'a', (byte) 0xE2, (byte) 0x82};
    SerializedBounds bounds = SerializedBounds.of(KeyType.STRING, Width.OWN, cut, null);
    assertThat(bounds.lower()).isEqualTo(new Bound.Inexact(EncodedKey.of(cut)));
    assertThat(admits(bounds, KeyEncoding.encodeValue(KeyType.STRING, "a\u20ac"))).isTrue();
  }

  @Test
  void boundsTheWrongWayRoundAreNone() {
    SerializedBounds bounds =
        SerializedBounds.of(KeyType.INTEGRAL, Width.INT_OR_LONG, little(9L), little(3L));
    assertThat(bounds).isEqualTo(new SerializedBounds(Bound.UNKNOWN, Bound.UNKNOWN));
  }

  @Test
  void aPromotedColumnsBoundsKeepTheirOldWidthWhereItMeansTheSame() {
    byte[] four = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(-7).array();
    assertThat(SerializedBounds.of(KeyType.INTEGRAL, Width.INT_OR_LONG, four, null).lower())
        .isEqualTo(new Bound.Inexact(KeyEncoding.encodeLong(-7)));
    assertThat(SerializedBounds.of(KeyType.INTEGRAL, Width.LONG, four, null).lower())
        .as("days of a date are no microseconds")
        .isEqualTo(Bound.UNKNOWN);
  }

  @Test
  void anUpperBoundThatIsCutHereIsRaised() {
    byte[] value = new byte[EncodedKey.MAX_BYTES + 10];
    Arrays.fill(value, (byte) 'z');
    SerializedBounds bounds = SerializedBounds.of(KeyType.BINARY, Width.OWN, value, value);
    assertThat(admits(bounds, EncodedKey.of(value))).isTrue();
    Arrays.fill(value, (byte) 0xFF);
    assertThat(SerializedBounds.of(KeyType.BINARY, Width.OWN, null, value).upper())
        .isEqualTo(Bound.UNKNOWN);
  }

  private static boolean admits(SerializedBounds bounds, EncodedKey key) {
    EncodedKey lower = key(bounds.lower());
    EncodedKey upper = key(bounds.upper());
    return (lower == null || lower.compareTo(key) <= 0)
        && (upper == null || upper.compareTo(key) >= 0);
  }

  private static @Nullable EncodedKey key(Bound bound) {
    return bound instanceof Bound.Inexact(EncodedKey key) ? key : null;
  }

  private static int compareSigned(UUID left, UUID right) {
    int high = Long.compare(left.getMostSignificantBits(), right.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compare(left.getLeastSignificantBits(), right.getLeastSignificantBits());
  }

  private static byte[] bytes(UUID value) {
    return KeyEncoding.encodeValue(KeyType.UUID, value).toByteArray();
  }

  private static byte[] little(double value) {
    return little(Double.doubleToRawLongBits(value));
  }

  private static byte[] little(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }
}
