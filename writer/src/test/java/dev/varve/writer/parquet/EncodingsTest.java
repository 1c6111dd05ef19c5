package dev.varve.writer.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesReader;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.junit.jupiter.api.Test;

/** Our encoders against parquet-java's decoders. */
class EncodingsTest {
  @Test
  void runsAndPackedValuesOfEveryWidthAreReadBack() throws Exception {
    Random random = new Random(21);
    for (int width = 1; width <= 32; width++) {
      for (int round = 0; round < 30; round++) {
        int count = 1 + random.nextInt(300);
        int[] values = new int[count + 8];
        int mask = width == 32 ? -1 : (1 << width) - 1;
        int run = 0;
        for (int i = 0; i < count; i++) {
          if (run == 0) {
            run = random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 1;
            values[i] = random.nextInt() & mask;
          } else {
            values[i] = values[i - 1];
          }
          run--;
        }
        int[] expected = values.clone();
        ByteSink out = new ByteSink(16);
        RunLength.encode(values, count, width, out);
        var decoder = new RunLengthBitPackingHybridDecoder(width, stream(out));
        for (int i = 0; i < count; i++) {
          assertThat(decoder.readInt()).as("width %d, value %d", width, i).isEqualTo(expected[i]);
        }
      }
    }
  }

  @Test
  void deltasOfLongsWrapAroundAndAreReadBack() throws Exception {
    Random random = new Random(22);
    for (int round = 0; round < 200; round++) {
      int count = random.nextInt(700);
      int bits = random.nextInt(65);
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        values[i] =
            random.nextInt(50) == 0
                ? (random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE)
                : bits == 0 ? 5 : random.nextLong() >> (64 - bits);
      }
      ByteSink out = new ByteSink(16);
      new DeltaBinaryPacked().encode(values, count, out);
      var reader = new DeltaBinaryPackingValuesReader();
      reader.initFromPage(count, stream(out));
      for (int i = 0; i < count; i++) {
        assertThat(reader.readLong()).as("%d bits, value %d", bits, i).isEqualTo(values[i]);
      }
    }
  }

  @Test
  void deltasOfIntsWrapAroundAndAreReadBack() throws Exception {
    Random random = new Random(23);
    for (int round = 0; round < 200; round++) {
      int count = random.nextInt(700);
      int bits = 1 + random.nextInt(32);
      int[] values = new int[count];
      for (int i = 0; i < count; i++) {
        values[i] =
            random.nextInt(50) == 0
                ? (random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE)
                : random.nextInt() >> (32 - bits);
      }
      ByteSink out = new ByteSink(16);
      new DeltaBinaryPacked().encode(values, count, out);
      var reader = new DeltaBinaryPackingValuesReader();
      reader.initFromPage(count, stream(out));
      for (int i = 0; i < count; i++) {
        assertThat(reader.readInteger()).as("%d bits, value %d", bits, i).isEqualTo(values[i]);
      }
    }
  }

  private static ByteBufferInputStream stream(ByteSink out) {
    return ByteBufferInputStream.wrap(ByteBuffer.wrap(out.toByteArray()));
  }
}
