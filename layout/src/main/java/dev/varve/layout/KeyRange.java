package dev.varve.layout;

import dev.varve.layout.key.EncodedKey;

/**
 * The least and greatest encoded sort key over all rows of a file (not its first and last row:
 * encoded keys are the order that counts). Either end may be cut to {@link EncodedKey#MAX_BYTES}: a
 * cut lower end is still at most every key, a cut upper end still at least every key, but a cut end
 * is no row's key.
 */
public record KeyRange(EncodedKey lower, boolean lowerExact, EncodedKey upper, boolean upperExact) {
  public KeyRange {
    if (lower.compareTo(upper) > 0) {
      throw new IllegalArgumentException("key range is upside down: " + lower + " > " + upper);
    }
  }
}
