package dev.varve.catalog.index;

/** How many split keys a file's key range spans, as a power of two. */
final class WidthClass {
  /** Spans them all; every file, while an order has no split keys. */
  static final int WIDEST = 10;

  private WidthClass() {}
}
