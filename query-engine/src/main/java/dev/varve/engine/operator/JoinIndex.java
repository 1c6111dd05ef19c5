package dev.varve.engine.operator;

import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.join.KeyPacking;
import dev.varve.engine.kernel.join.NumberIndex;
import dev.varve.engine.kernel.key.KeyEncoder;
import dev.varve.engine.kernel.key.KeyTable;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a join's build side by key: for each key its first row, and for each row the next of
 * the same key, ascending. Rows whose key is null, where nulls do not match, are in none. Safe for
 * concurrent use once built.
 */
abstract sealed class JoinIndex {

  /** Looks keys up; confined to one task. */
  @FunctionalInterface
  interface Finder {
    /** Writes for each of {@code count} rows of the key columns the first row found, or -1. */
    void find(Column[] keys, int count, int[] firsts);
  }

  abstract Finder finder();

  /** For each row the next of the same key, or -1; null if all keys are different. */
  abstract int @Nullable [] next();

  /** As EXPLAIN ANALYZE counts it. */
  abstract String kind();

  abstract long sizeInBytes();

  /** Keys that are one number each. */
  static final class OfNumbers extends JoinIndex {
    private final KeyPacking packing;
    private final NumberIndex index;
    private final String kind;

    OfNumbers(KeyPacking packing, NumberIndex index, String kind) {
      this.packing = packing;
      this.index = index;
      this.kind = kind;
    }

    @Override
    Finder finder() {
      NumberIndex.Scratch scratch = new NumberIndex.Scratch();
      return new Finder() {
        private long[] numbers = {};

        @Override
        public void find(Column[] keys, int count, int[] firsts) {
          if (numbers.length < count) {
            numbers = new long[count];
          }
          Column[] flat = new Column[keys.length];
          for (int k = 0; k < keys.length; k++) {
            flat[k] = keys[k].flat();
          }
          packing.pack(flat, count, numbers);
          index.find(numbers, count, firsts, scratch);
        }
      };
    }

    @Override
    int @Nullable [] next() {
      return index.next();
    }

    @Override
    String kind() {
      return kind;
    }

    @Override
    long sizeInBytes() {
      return index.sizeInBytes();
    }
  }

  /** Keys of any types. */
  static final class OfEncodedKeys extends JoinIndex {
    private final KeyTable keys;
    private final int[] heads;
    private final int @Nullable [] next;

    /** By the number that the table gives each key: its first row. */
    OfEncodedKeys(KeyTable keys, int[] heads, int @Nullable [] next) {
      this.keys = keys;
      this.heads = heads;
      this.next = next;
    }

    @Override
    Finder finder() {
      KeyEncoder encoder = new KeyEncoder(keys.layout());
      return (columns, count, firsts) -> {
        keys.find(encoder.encode(columns, count), firsts);
        for (int i = 0; i < count; i++) {
          firsts[i] = firsts[i] < 0 ? -1 : heads[firsts[i]];
        }
      };
    }

    @Override
    int @Nullable [] next() {
      return next;
    }

    @Override
    String kind() {
      return "encoded_key_tables";
    }

    @Override
    long sizeInBytes() {
      return keys.sizeInBytes() + 4L * heads.length + (next == null ? 0 : 4L * next.length);
    }
  }
}
