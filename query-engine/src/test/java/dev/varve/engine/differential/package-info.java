/// A query runs on Varve in every configuration and on DuckDB over the same Parquet files; the rows
/// must be equal.
///
/// [Differential] is the harness: give it tables and statements. [RandomTables] and [RandomQueries]
/// are a source of both from a seed; [Shrinker] makes what failed small. Where Varve and DuckDB
/// differ on purpose, `differential/divergences.txt` says so and PostgreSQL is the arbiter. Start
/// reading at [DifferentialTest].
@NullMarked
package dev.varve.engine.differential;

import org.jspecify.annotations.NullMarked;
