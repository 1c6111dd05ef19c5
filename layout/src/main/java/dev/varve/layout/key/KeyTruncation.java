package dev.varve.layout.key;

import dev.varve.layout.Bound;
import dev.varve.layout.KeyRange;
import java.util.Arrays;
import java.util.Optional;

/**
 * Shortens keys and bounds to a length without losing a row: a cut lower end is at most what it was
 * cut from, a cut upper end at least that, and cutting keeps the order of keys. A cut key cannot be
 * decoded and is no row's value.
 */
public final class KeyTruncation {
  private KeyTruncation() {}

  /** The first {@code maxBytes} bytes. */
  public static EncodedKey lower(EncodedKey key, int maxBytes) {
    return key.length() <= maxBytes ? key : EncodedKey.of(key.toByteArray(), 0, maxBytes);
  }

  /**
   * The least key of at most {@code maxBytes} bytes that no key with the same first {@code
   * maxBytes} bytes exceeds; none if these are all FF. A composite key begins with a tag and always
   * has one.
   */
  public static Optional<EncodedKey> upper(EncodedKey key, int maxBytes) {
    if (key.length() <= maxBytes) {
      return Optional.of(key);
    }
    byte[] bytes = key.toByteArray();
    int length = maxBytes;
    while (length > 0 && bytes[length - 1] == (byte) 0xFF) {
      length--;
    }
    if (length == 0) {
      return Optional.empty();
    }
    byte[] cut = Arrays.copyOf(bytes, length);
    cut[length - 1]++;
    return Optional.of(EncodedKey.of(cut));
  }

  /** A bound of at most {@link EncodedKey#MAX_BYTES} from below: exact when it was not cut. */
  public static Bound lowerBound(EncodedKey key) {
    return key.length() <= EncodedKey.MAX_BYTES
        ? new Bound.Exact(key)
        : new Bound.Inexact(lower(key, EncodedKey.MAX_BYTES));
  }

  /** A bound of at most {@link EncodedKey#MAX_BYTES} from above: exact when it was not cut. */
  public static Bound upperBound(EncodedKey key) {
    if (key.length() <= EncodedKey.MAX_BYTES) {
      return new Bound.Exact(key);
    }
    return upper(key, EncodedKey.MAX_BYTES).<Bound>map(Bound.Inexact::new).orElse(Bound.UNKNOWN);
  }

  /** The range of composite keys from their least and greatest, cut where they are too long. */
  public static KeyRange range(EncodedKey least, EncodedKey greatest) {
    EncodedKey upper =
        upper(greatest, EncodedKey.MAX_BYTES)
            .orElseThrow(() -> new IllegalStateException("a composite key begins with FF"));
    return new KeyRange(
        lower(least, EncodedKey.MAX_BYTES),
        least.length() <= EncodedKey.MAX_BYTES,
        upper,
        greatest.length() <= EncodedKey.MAX_BYTES);
  }
}
