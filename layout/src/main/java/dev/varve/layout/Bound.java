package dev.varve.layout;

import dev.varve.layout.key.EncodedKey;

/**
 * What is known of the least or greatest non-null, non-NaN value of a column in a file or row
 * group. Sound bounds only: an estimate is not a bound. Values are in the ascending single-value
 * encoding of {@link dev.varve.layout.key.KeyEncoding}.
 */
public sealed interface Bound {
  /** Nothing is known. */
  record Unknown() implements Bound {}

  /** A value of a row is exactly this. */
  record Exact(EncodedKey key) implements Bound {}

  /** No row's value lies beyond this (truncated, widened or reported by a foreign writer). */
  record Inexact(EncodedKey key) implements Bound {}

  Bound UNKNOWN = new Unknown();
}
