package dev.varve.engine.differential;

import dev.varve.engine.type.DataType;

/**
 * A column of a random table. {@code bound} is the largest absolute value of a number, infinite
 * where extremes occur: arithmetic is made only where it cannot overflow.
 */
public record TestColumn(String name, DataType type, double bound, boolean nullable) {}
