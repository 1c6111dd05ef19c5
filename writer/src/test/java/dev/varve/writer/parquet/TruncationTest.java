package dev.varve.writer.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TruncationTest {
  private static final int[] CHARACTERS = {
    0, 'a', 'z', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF
  };

  @Test
  void cutTextsBoundTheirValueAndStayText() throws Exception {
    Random random = new Random(31);
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      int length = 1 + random.nextInt(12);
      for (int i = 0; i < length; i++) {
        text.appendCodePoint(CHARACTERS[random.nextInt(CHARACTERS.length)]);
      }
      byte[] value = text.toString().getBytes(StandardCharsets.UTF_8);
      int limit = 1 + random.nextInt(value.length);
      byte[] lower = Truncation.lower(value, limit, true);
      assertThat(lower.length).isLessThanOrEqualTo(limit);
      assertThat(Arrays.compareUnsigned(lower, value)).isLessThanOrEqualTo(0);
      decode(lower);
      byte[] upper = Truncation.upper(value, limit, true);
      if (upper != null && limit < value.length) {
        assertThat(Arrays.compareUnsigned(upper, value)).isGreaterThan(0);
        decode(upper);
      }
    }
  }

  private static void decode(byte[] bytes) throws Exception {
    // Throws if the bytes are not UTF-8.
    assertThat(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).length())
        .isLessThanOrEqualTo(bytes.length);
  }

  @Test
  void bytesAllOnesHaveNoShorterUpperBound() {
    byte[] ones = {-1, -1, -1, -1};
    assertThat(Truncation.upper(ones, 2, false)).isNull();
    assertThat(Truncation.upper(new byte[] {1, -1, -1, 5}, 3, false)).containsExactly(2);
  }
}
