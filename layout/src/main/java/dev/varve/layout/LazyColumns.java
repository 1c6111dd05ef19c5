package dev.varve.layout;

import java.util.AbstractMap;

/**
 * Facts of columns by field id that are unpacked when they are asked for, so that many files cost
 * little memory. Implementations never change; {@link FileFacts} and {@link RowGroupFacts} keep
 * them as they are.
 */
public abstract class LazyColumns extends AbstractMap<Integer, ColumnFacts> {}
