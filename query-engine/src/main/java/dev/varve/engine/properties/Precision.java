package dev.varve.engine.properties;

import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A statistic and how far it can be relied on: only an exact one may change an answer. Of a bound,
 * an inexact one is sound: nothing lies beyond it. An estimate is neither.
 */
public sealed interface Precision<T> {
  record Exact<T>(T value) implements Precision<T> {}

  record Inexact<T>(T value) implements Precision<T> {}

  record Estimate<T>(T value) implements Precision<T> {}

  record Absent<T>() implements Precision<T> {}

  static <T> Precision<T> exact(T value) {
    return new Exact<>(value);
  }

  static <T> Precision<T> inexact(T value) {
    return new Inexact<>(value);
  }

  static <T> Precision<T> estimate(T value) {
    return new Estimate<>(value);
  }

  static <T> Precision<T> absent() {
    return new Absent<>();
  }

  default Optional<T> known() {
    return switch (this) {
      case Exact<T>(T value) -> Optional.of(value);
      case Inexact<T>(T value) -> Optional.of(value);
      case Estimate<T>(T value) -> Optional.of(value);
      case Absent<T>() -> Optional.empty();
    };
  }

  default boolean isExact() {
    return this instanceof Exact<T>;
  }

  default boolean isEstimate() {
    return this instanceof Estimate<T>;
  }

  default Precision<T> toInexact() {
    return this instanceof Exact<T>(T value) ? inexact(value) : this;
  }

  default Precision<T> map(UnaryOperator<T> change) {
    return switch (this) {
      case Exact<T>(T value) -> exact(change.apply(value));
      case Inexact<T>(T value) -> inexact(change.apply(value));
      case Estimate<T>(T value) -> estimate(change.apply(value));
      case Absent<T>() -> this;
    };
  }
}
