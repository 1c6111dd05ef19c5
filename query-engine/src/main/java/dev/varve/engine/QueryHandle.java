package dev.varve.engine;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.runtime.QueryState;
import dev.varve.engine.type.Schema;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One running or ended statement. Every statement has a result: a query its rows, INSERT and COPY
 * one row {@code (rows bigint)}, DDL none. One thread fetches; everything else is safe for
 * concurrent use. It must be closed, which cancels what still runs.
 */
public interface QueryHandle extends AutoCloseable {
  String id();

  String sql();

  QueryState state();

  /**
   * What the statement was, for clients: {@code SELECT}, {@code INSERT}, {@code CREATE TABLE}, ...
   * ; empty until it is parsed.
   */
  Optional<String> statementTag();

  /** Waits until the result's columns are known; throws the statement's failure. */
  Schema schema();

  /** Waits for the next batch; null at the end; throws the statement's failure. */
  @Nullable Batch nextBatch();

  QueryProgress progress();

  /** The failure, once the state is FAILED or CANCELED. */
  Optional<Throwable> failure();

  /**
   * The physical plan with its figures so far, as EXPLAIN ANALYZE prints it; empty until it is
   * planned.
   */
  Optional<String> planText();

  void cancel();

  /** Cancels what still runs, waits for its tasks, and releases everything. */
  @Override
  void close();
}
