package dev.varve.layout.key;

import dev.varve.layout.NullOrder;
import dev.varve.layout.SortDirection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes values so that unsigned byte order is value order. Layout of one part of a composite key:
 * a tag (01 null-first, 02 value, 03 null-last; never complemented), then the value, complemented
 * for DESC, its terminator included. A single value (a column bound) is ascending, without tag and
 * terminator.
 */
public final class KeyEncoding {
  private KeyEncoding() {}

  /** One part of a composite key. */
  public record Part(KeyType type, SortDirection direction, NullOrder nullOrder) {}

  /**
   * Encodes one non-null value as a column bound; the value has the Java type that {@code type}
   * names.
   */
  public static EncodedKey encodeValue(KeyType type, Object value) {
    throw new IllegalStateException("encodeValue " + type + value);
  }

  /** The value of an exact bound. */
  public static Object decodeValue(KeyType type, EncodedKey key) {
    throw new IllegalStateException("decodeValue " + type + key);
  }

  /** Encodes a composite key; null values are allowed. */
  public static EncodedKey encode(List<Part> parts, List<@Nullable Object> values) {
    throw new IllegalStateException("encode " + parts + values);
  }

  /** The values of an untruncated composite key. */
  public static List<@Nullable Object> decode(List<Part> parts, EncodedKey key) {
    throw new IllegalStateException("decode " + parts + key);
  }
}
