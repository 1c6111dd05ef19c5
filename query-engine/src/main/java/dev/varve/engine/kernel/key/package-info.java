/**
 * Rows of key columns as bytes that compare and hash without looking at columns: the one key
 * equality of exchanges, group and join tables, and the order of sorts and merges. Nulls are equal
 * to nulls, NaN to NaN and above every number, -0.0 to 0.0.
 */
@NullMarked
package dev.varve.engine.kernel.key;

import org.jspecify.annotations.NullMarked;
