package dev.varve.bench.kernels;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import java.util.Random;

/** Values for benchmarks: many batches in turn, so that no branch predictor learns one by heart. */
final class Samples {
  static final int ROWS = 8192;
  static final int BATCHES = 32;

  private static final String[] WORDS = {
    "carefully", "final", "requests", "sleep", "furiously", "special", "pending", "accounts",
    "express", "deposits", "ironic", "packages", "regular", "theodolites", "bold", "instructions"
  };

  private Samples() {}

  static LongColumn longs(DataType type, Random random, long bound) {
    return new LongColumn(type, random.longs(ROWS, 0, bound).toArray(), null);
  }

  /** Comments as TPC-H has them: some 50 letters, rarely with "special" before "requests". */
  static BytesColumn comments(Random random) {
    ColumnBuilder builder = ColumnBuilder.of(DataType.VARCHAR, ROWS);
    for (int row = 0; row < ROWS; row++) {
      StringBuilder text = new StringBuilder();
      while (text.length() < 20 + random.nextInt(50)) {
        text.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
      }
      builder.appendString(text.toString());
    }
    return (BytesColumn) builder.build();
  }

  /** One of few words in each row. */
  static DictionaryColumn words(Random random) {
    ColumnBuilder builder = ColumnBuilder.of(DataType.VARCHAR, WORDS.length);
    for (String word : WORDS) {
      builder.appendString(word);
    }
    return new DictionaryColumn(
        builder.build(), random.ints(ROWS, 0, WORDS.length).toArray(), 0, ROWS, null);
  }
}
