package dev.varve.engine.properties;

/** How many rows come out against how many go in. */
public enum CardinalityEffect {
  EQUAL,
  LOWER_EQUAL,
  GREATER_EQUAL,
  UNKNOWN
}
