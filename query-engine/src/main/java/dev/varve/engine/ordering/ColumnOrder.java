package dev.varve.engine.ordering;

/** One sort key that is a plain column of the stream. */
public record ColumnOrder(int column, SortOptions options) {}
