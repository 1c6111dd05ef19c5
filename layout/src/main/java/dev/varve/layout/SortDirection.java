package dev.varve.layout;

/** The direction of one key of an ordering. */
public enum SortDirection {
  ASC,
  DESC
}
