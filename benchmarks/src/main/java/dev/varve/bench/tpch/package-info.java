/** The 22 queries of TPC-H. */
@NullMarked
package dev.varve.bench.tpch;

import org.jspecify.annotations.NullMarked;
