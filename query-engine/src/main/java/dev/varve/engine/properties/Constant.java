package dev.varve.engine.properties;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an expression that does not change.
 *
 * @param acrossPartitions whether it is the same in all partitions, or only within each
 * @param value the value, where it is known; only of one that is the same in all partitions
 */
public record Constant(boolean acrossPartitions, Optional<Value> value) {

  /** A value as {@link dev.varve.engine.batch.Column#value} gives it; null for a null. */
  public record Value(@Nullable Object object) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Value value && Objects.deepEquals(key(object), key(value.object));
    }

    @Override
    public int hashCode() {
      Object key = key(object);
      return key instanceof byte[] bytes ? java.util.Arrays.hashCode(bytes) : Objects.hashCode(key);
    }

    /** By the engine's one key equality, in which the two zeros are equal. */
    private static @Nullable Object key(@Nullable Object object) {
      return switch (object) {
        case Double d when d == 0.0 -> 0.0;
        case Float f when f == 0.0f -> 0.0f;
        case null, default -> object;
      };
    }
  }

  public Constant {
    if (value.isPresent() && !acrossPartitions) {
      throw new IllegalArgumentException("a known value is the same in all partitions");
    }
  }

  static Constant perPartition() {
    return new Constant(false, Optional.empty());
  }

  static Constant across() {
    return new Constant(true, Optional.empty());
  }

  static Constant of(@Nullable Object value) {
    return new Constant(true, Optional.of(new Value(value)));
  }

  /** Both are known of the same expression. */
  Constant and(Constant other) {
    return new Constant(
        acrossPartitions || other.acrossPartitions, value.isPresent() ? value : other.value);
  }
}
