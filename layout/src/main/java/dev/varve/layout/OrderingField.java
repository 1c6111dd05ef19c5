package dev.varve.layout;

/** One key of an ordering: a column by its Iceberg field id. */
public record OrderingField(int fieldId, SortDirection direction, NullOrder nullOrder) {}
