package dev.varve.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The search of eight positions at a time against String's and against the one by bytes. */
class ByteSearchTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void findsWhatAStringFinds(long seed) {
    Random random = new Random(seed);
    int found = 0;
    for (int i = 0; i < 50_000; i++) {
      // Few letters, so that first and last bytes often match where the rest does not.
      String text = word(random, random.nextInt(60));
      String wanted = word(random, 1 + random.nextInt(random.nextInt(9) == 0 ? 20 : 5));
      int from = random.nextInt(text.length() + 1);
      int end = from + random.nextInt(text.length() - from + 1);
      int inside = text.substring(from, end).indexOf(wanted);
      int expected = inside < 0 ? -1 : from + inside;
      byte[] data = text.getBytes(StandardCharsets.ISO_8859_1);
      byte[] bytes = wanted.getBytes(StandardCharsets.ISO_8859_1);
      assertThat(ByteSearch.find(bytes, data, from, end))
          .as("seed %d: '%s' in '%s' from %d to %d", seed, wanted, text, from, end)
          .isEqualTo(expected);
      assertThat(ByteSearch.findByByte(bytes, data, from, end)).isEqualTo(expected);
      found += expected < 0 ? 0 : 1;
    }
    assertThat(found).isBetween(5_000, 45_000);
  }

  @Test
  void bytesAboveTheSevenBitOnesAreNoZeros() {
    byte[] data = new byte[64];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) (0x80 + i);
    }
    for (int i = 0; i < data.length; i++) {
      assertThat(ByteSearch.find(new byte[] {data[i]}, data, 0, data.length)).isEqualTo(i);
    }
    assertThat(ByteSearch.find(new byte[] {0}, data, 0, data.length)).isEqualTo(-1);
    assertThat(ByteSearch.find(new byte[] {1, 2}, new byte[] {0, 1, 1, 2}, 0, 4)).isEqualTo(2);
  }

  private static String word(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("ab\u00e4\u0000".charAt(random.nextInt(4)));
    }
    return text.toString();
  }
}
