package dev.varve.layout;

/** Where one key of an ordering places its nulls, whatever its direction. */
public enum NullOrder {
  NULLS_FIRST,
  NULLS_LAST
}
