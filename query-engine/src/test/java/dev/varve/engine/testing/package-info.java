/** What tests of several packages share: running plans, writing Parquet, asking DuckDB. */
@NullMarked
package dev.varve.engine.testing;

import org.jspecify.annotations.NullMarked;
