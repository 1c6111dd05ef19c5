package dev.varve.layout.key;

import dev.varve.layout.Bound;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of a column as manifests carry them, in Iceberg's single-value form, as sound bounds here.
 * Never exact: a writer may have cut them, and says so nowhere. What no bound can be taken from
 * gives none: NaN, a width the type never had, a lower bound above the upper.
 */
public record SerializedBounds(Bound lower, Bound upper) {

  /** How a type's values are serialized, beside the encoding that they get here. */
  public enum Width {
    /** Four bytes, or eight since the column was promoted. */
    INT_OR_LONG,
    /** Eight bytes; four were a date's days, before the column was promoted. */
    LONG,
    /** The bytes themselves say. */
    OWN
  }

  public static SerializedBounds of(
      KeyType type, Width width, byte @Nullable [] least, byte @Nullable [] greatest) {
    Optional<EncodedKey> lower;
    Optional<EncodedKey> upper;
    if (type == KeyType.UUID) {
      lower = uuid(least, greatest, false);
      upper = uuid(greatest, least, true);
    } else {
      lower = least == null ? Optional.empty() : convert(type, width, least);
      upper = greatest == null ? Optional.empty() : convert(type, width, greatest);
    }
    if (lower.isPresent() && upper.isPresent() && lower.get().compareTo(upper.get()) > 0) {
      // One of them is wrong, and nothing says which.
      return new SerializedBounds(Bound.UNKNOWN, Bound.UNKNOWN);
    }
    return new SerializedBounds(
        lower
            .<Bound>map(k -> new Bound.Inexact(KeyTruncation.lower(k, EncodedKey.MAX_BYTES)))
            .orElse(Bound.UNKNOWN),
        upper
            .flatMap(k -> KeyTruncation.upper(k, EncodedKey.MAX_BYTES))
            .<Bound>map(Bound.Inexact::new)
            .orElse(Bound.UNKNOWN));
  }

  private static Optional<EncodedKey> convert(KeyType type, Width width, byte[] bytes) {
    ByteBuffer value = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return switch (type) {
      case BOOLEAN ->
          bytes.length == 1
              ? Optional.of(KeyEncoding.encodeValue(KeyType.BOOLEAN, bytes[0] != 0))
              : Optional.empty();
      case INTEGRAL -> integral(value, bytes.length, width);
      case FLOATING -> floating(value, bytes.length);
      case DECIMAL ->
          bytes.length >= 1 && bytes.length <= 17
              ? Optional.of(KeyEncoding.encodeValue(KeyType.DECIMAL, new BigInteger(bytes)))
              : Optional.empty();
      // A string may have been cut inside a character: its bytes are kept, never decoded.
      case STRING, BINARY -> Optional.of(EncodedKey.of(bytes));
      case UUID -> Optional.empty();
    };
  }

  private static Optional<EncodedKey> integral(ByteBuffer value, int bytes, Width width) {
    return switch (bytes) {
      case 8 -> Optional.of(KeyEncoding.encodeLong(value.getLong()));
      case 4 ->
          width == Width.INT_OR_LONG
              ? Optional.of(KeyEncoding.encodeLong(value.getInt()))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<EncodedKey> floating(ByteBuffer value, int bytes) {
    if (bytes != 4 && bytes != 8) {
      return Optional.empty();
    }
    double number = bytes == 4 ? value.getFloat() : value.getDouble();
    return Double.isNaN(number) ? Optional.empty() : Optional.of(KeyEncoding.encodeDouble(number));
  }

  /**
   * Older Iceberg compared the two halves of a uuid as signed numbers: the bounds say something
   * only when the signs of their high halves agree, and then only about the high halves.
   */
  private static Optional<EncodedKey> uuid(
      byte @Nullable [] bytes, byte @Nullable [] other, boolean upper) {
    if (bytes == null
        || other == null
        || bytes.length != 16
        || other.length != 16
        || (bytes[0] ^ other[0]) < 0) {
      return Optional.empty();
    }
    byte[] widened = bytes.clone();
    Arrays.fill(widened, 8, 16, (byte) (upper ? 0xFF : 0));
    return Optional.of(EncodedKey.of(widened));
  }
}
