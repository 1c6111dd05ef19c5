package dev.varve.engine.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

/** The decoder against the library: the same bytes, and the same inputs refused. */
class SnappyDecoderTest {
  private static final int MARGIN = 40;
  private static final byte POISON = (byte) 0xa5;

  private final long seed = Long.getLong("varve.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** Data of the kinds that columns have: runs, near repeats, far repeats, noise. */
  private byte[] data(int length) {
    byte[] data = new byte[length];
    int alphabet = 1 << random.nextInt(9);
    int at = 0;
    while (at < length) {
      int run = Math.min(length - at, 1 + random.nextInt(1 << random.nextInt(10)));
      int kind = random.nextInt(5);
      int back = at == 0 ? 0 : 1 + random.nextInt(Math.min(at, 1 << random.nextInt(20)));
      for (int i = at; i < at + run; i++) {
        data[i] =
            switch (kind) {
              case 0 -> (byte) random.nextInt(alphabet);
              case 1 -> 0;
              case 2, 3 -> back == 0 ? 7 : data[i - back];
              default -> (byte) ((i & 7) < 3 ? random.nextInt(256) : 0);
            };
      }
      at += run;
    }
    return data;
  }

  /** Null if the library refuses the input. */
  private static byte @Nullable [] library(byte[] in, int from, int length, int target) {
    try {
      if (Snappy.uncompressedLength(in, from, length) != target) {
        return null;
      }
      byte[] out = new byte[target];
      return Snappy.uncompress(in, from, length, out, 0) == target ? out : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Null if the decoder refuses the input. Whatever it does, it writes only to its target. */
  private byte @Nullable [] own(byte[] in, int from, int length, int target) {
    int at = random.nextInt(MARGIN);
    byte[] out = new byte[at + target + random.nextInt(MARGIN)];
    Arrays.fill(out, POISON);
    byte[] result;
    try {
      SnappyDecoder.decompress(in, from, length, out, at, target);
      result = Arrays.copyOfRange(out, at, at + target);
    } catch (CorruptPageException e) {
      result = null;
    }
    for (int i = 0; i < out.length; i++) {
      if ((i < at || i >= at + target) && out[i] != POISON) {
        fail("seed " + seed + ": byte " + (i - at) + " of " + target + " was written");
      }
    }
    return result;
  }

  @Test
  void validDataGiveTheSameBytes() throws IOException {
    for (int round = 0; round < 3000; round++) {
      byte[] data = data(random.nextInt(1 << random.nextInt(18)));
      byte[] compressed = Snappy.compress(data);
      int from = random.nextInt(MARGIN);
      byte[] in = new byte[from + compressed.length + random.nextInt(MARGIN)];
      random.nextBytes(in);
      System.arraycopy(compressed, 0, in, from, compressed.length);
      assertThat(own(in, from, compressed.length, data.length))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(data);
    }
  }

  @Test
  void damagedDataAreRefusedWhereTheLibraryRefusesThem() throws IOException {
    int refused = 0;
    for (int round = 0; round < 30_000; round++) {
      byte[] data = data(1 + random.nextInt(1 << random.nextInt(12)));
      byte[] in = Snappy.compress(data);
      int length = in.length;
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        switch (random.nextInt(4)) {
          case 0 -> in[random.nextInt(in.length)] = (byte) random.nextInt(256);
          case 1 -> in[random.nextInt(in.length)] ^= (byte) (1 << random.nextInt(8));
          case 2 -> length = random.nextInt(in.length + 1);
          default -> {
            int from = random.nextInt(in.length);
            int to = random.nextInt(in.length);
            System.arraycopy(in, from, in, to, in.length - Math.max(from, to));
          }
        }
      }
      byte[] expected = library(in, 0, length, data.length);
      refused += expected == null ? 1 : 0;
      assertThat(own(in, 0, length, data.length))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(expected);
    }
    assertThat(refused).as("seed %d", seed).isBetween(10_000, 29_999);
  }

  @Test
  void anyBytesGiveBytesOrAreRefused() {
    for (int round = 0; round < 30_000; round++) {
      byte[] in = new byte[1 + random.nextInt(300)];
      random.nextBytes(in);
      int target = random.nextInt(400);
      // Two bytes of length, so that the elements are looked at.
      if (in.length > 2) {
        in[0] = (byte) (target & 0x7f | 0x80);
        in[1] = (byte) (target >>> 7);
        for (int i = 2; i < in.length; i++) {
          in[i] &= (byte) (random.nextBoolean() ? 0xff : 0x1f);
        }
      }
      assertThat(own(in, 0, in.length, target))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(library(in, 0, in.length, target));
    }
  }

  @Test
  void elementsThatCompressorsSeldomWriteAreRead() {
    // A literal with a 4-byte length, and a copy with a 4-byte offset.
    byte[] in = {9, (byte) (63 << 2), 4, 0, 0, 0, 1, 2, 3, 4, 5, 3 << 2 | 3, 4, 0, 0, 0};
    assertThat(own(in, 0, in.length, 9)).containsExactly(1, 2, 3, 4, 5, 2, 3, 4, 5);
    assertThat(library(in, 0, in.length, 9)).containsExactly(1, 2, 3, 4, 5, 2, 3, 4, 5);
    byte[] tooFar = {9, 0, 1, 7 << 2 | 3, 2, 0, 0, 0};
    assertThat(own(tooFar, 0, tooFar.length, 9)).isNull();
    byte[] negative = {9, 0, 1, 7 << 2 | 3, -1, -1, -1, -1};
    assertThat(own(negative, 0, negative.length, 9)).isNull();
    byte[] zero = {9, 0, 1, 7 << 2 | 3, 0, 0, 0, 0};
    assertThat(own(zero, 0, zero.length, 9)).isNull();
  }
}
