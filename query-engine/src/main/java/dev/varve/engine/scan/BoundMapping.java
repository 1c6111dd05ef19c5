package dev.varve.engine.scan;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a cast that keeps order and cannot fail does to bounds: values within [lower, upper] become
 * values within [map(lower), map(upper)].
 */
interface BoundMapping {
  BoundMapping IDENTITY = key -> key;

  /** Null if the bound has no image: then nothing is known. */
  @Nullable EncodedKey apply(EncodedKey key);

  default BoundMapping then(BoundMapping next) {
    return key -> {
      EncodedKey mapped = apply(key);
      return mapped == null ? null : next.apply(mapped);
    };
  }

  /** Empty where a cast can fail, does not keep order, or is not computed here. */
  static Optional<BoundMapping> of(DataType from, DataType to) {
    if (from.equals(to)) {
      return Optional.of(IDENTITY);
    }
    if (from.isInteger()) {
      return ofInteger(from, to);
    }
    return switch (from.kind()) {
      case REAL -> to.kind() == TypeKind.DOUBLE ? Optional.of(IDENTITY) : Optional.empty();
      case DECIMAL ->
          to.isDecimal()
                  && to.scale() >= from.scale()
                  && to.precision() - to.scale() >= from.precision() - from.scale()
              ? Optional.of(scaled(to.scale() - from.scale()))
              : Optional.empty();
      case DATE ->
          to.kind() == TypeKind.TIMESTAMP
              ? Optional.of(
                  key -> {
                    long days = (Long) KeyEncoding.decodeValue(KeyType.INTEGRAL, key);
                    long micros = days * 86_400_000_000L;
                    return micros / 86_400_000_000L == days ? KeyEncoding.encodeLong(micros) : null;
                  })
              : Optional.empty();
      case TIMESTAMP ->
          to.kind() == TypeKind.DATE
              ? Optional.of(
                  key ->
                      KeyEncoding.encodeLong(
                          Math.floorDiv(
                              (Long) KeyEncoding.decodeValue(KeyType.INTEGRAL, key),
                              86_400_000_000L)))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<BoundMapping> ofInteger(DataType from, DataType to) {
    return switch (to.kind()) {
      case INTEGER -> from.kind() == TypeKind.SMALLINT ? Optional.of(IDENTITY) : Optional.empty();
      case BIGINT -> Optional.of(IDENTITY);
      case DOUBLE ->
          Optional.of(
              key ->
                  KeyEncoding.encodeDouble(
                      (double) (long) (Long) KeyEncoding.decodeValue(KeyType.INTEGRAL, key)));
      case DECIMAL ->
          to.precision() - to.scale() >= digits(from)
              ? Optional.of(
                  key ->
                      KeyEncoding.encodeValue(
                          KeyType.DECIMAL,
                          BigInteger.valueOf((Long) KeyEncoding.decodeValue(KeyType.INTEGRAL, key))
                              .multiply(BigInteger.TEN.pow(to.scale()))))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static int digits(DataType integer) {
    return switch (integer.kind()) {
      case SMALLINT -> 5;
      case INTEGER -> 10;
      default -> 19;
    };
  }

  /** A decimal in a larger scale. */
  static BoundMapping scaled(int by) {
    return by == 0
        ? IDENTITY
        : key ->
            KeyEncoding.encodeValue(
                KeyType.DECIMAL,
                ((BigInteger) KeyEncoding.decodeValue(KeyType.DECIMAL, key))
                    .multiply(BigInteger.TEN.pow(by)));
  }
}
