package dev.varve.engine.parquet;

import java.util.Arrays;

/** The definition levels of a flat column in one page: 1 for a value, 0 for a null. */
abstract class LevelDecoder {
  /** Reads levels as a validity mask; answers how many values there are. */
  abstract int read(byte[] validity, int at, int count);

  /**
   * Passes over rows that are known to have values, all of them, at once; false and nothing done if
   * that is not known without a look at each.
   */
  boolean passValues(int count) {
    return false;
  }

  /** Passes over rows; answers how many values they have. */
  abstract int skip(int count);

  /** A column that cannot be null stores no levels. */
  static LevelDecoder required() {
    return new LevelDecoder() {
      @Override
      int read(byte[] validity, int at, int count) {
        Arrays.fill(validity, at, at + count, (byte) 1);
        return count;
      }

      @Override
      int skip(int count) {
        return count;
      }
    };
  }

  static LevelDecoder rle(byte[] buffer, int start, int end) {
    RleDecoder runs = new RleDecoder(buffer, start, end, 1);
    return new LevelDecoder() {
      @Override
      int read(byte[] validity, int at, int count) {
        return runs.readBits(validity, at, count);
      }

      @Override
      boolean passValues(int count) {
        return runs.passRun(1, count);
      }

      @Override
      int skip(int count) {
        return runs.skip(count);
      }
    };
  }

  /** The legacy form: bits from the most significant one, no length before them. */
  static LevelDecoder bitPacked(byte[] buffer, int start) {
    return new LevelDecoder() {
      private int next;

      @Override
      int read(byte[] validity, int at, int count) {
        int ones = 0;
        for (int i = 0; i < count; i++) {
          validity[at + i] = (byte) bit(next + i);
          ones += validity[at + i];
        }
        next += count;
        return ones;
      }

      @Override
      int skip(int count) {
        int ones = 0;
        for (int i = 0; i < count; i++) {
          ones += bit(next + i);
        }
        next += count;
        return ones;
      }

      private int bit(int index) {
        return (buffer[start + (index >>> 3)] >>> (7 - (index & 7))) & 1;
      }
    };
  }
}
