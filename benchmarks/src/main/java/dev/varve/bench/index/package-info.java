/** Planning over, and commits to, tables of very many files. */
@NullMarked
package dev.varve.bench.index;

import org.jspecify.annotations.NullMarked;
