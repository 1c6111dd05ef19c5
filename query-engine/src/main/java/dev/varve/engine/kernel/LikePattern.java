package dev.varve.engine.kernel;

/** A LIKE pattern, parsed once. */
public final class LikePattern {
  public static LikePattern compile(String pattern, String escape, boolean caseInsensitive) {
    return new LikePattern();
  }

  /**
   * The bytes that every match begins with, escapes undone; empty for a case-insensitive pattern.
   */
  public byte[] prefix() {
    return new byte[0];
  }

  /** Whether a value matches exactly if it begins with {@link #prefix}. */
  public boolean isPrefixOnly() {
    return false;
  }

  /** Whether a value matches exactly if it equals {@link #prefix}. */
  public boolean isExact() {
    return false;
  }
}
