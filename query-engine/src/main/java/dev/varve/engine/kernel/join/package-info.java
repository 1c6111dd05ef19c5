/**
 * How the rows of a join's build side are found by key. Keys of integers (and dates, times, short
 * decimals, booleans) become one number each by {@link dev.varve.engine.kernel.join.KeyPacking};
 * the number is an index into an array where the build side's keys lie densely ({@link
 * dev.varve.engine.kernel.join.DenseIndex}), or is looked up in a table of 64-bit slots ({@link
 * dev.varve.engine.kernel.join.HashIndex}).
 */
@NullMarked
package dev.varve.engine.kernel.join;

import org.jspecify.annotations.NullMarked;
