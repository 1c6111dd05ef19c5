package dev.varve.engine.port;

import dev.varve.engine.batch.Batch;

/**
 * Takes the batches of one stream and makes them durable. Confined to one task. Closing without
 * {@link #finish} throws everything away: no commit, no file left.
 */
public interface TableSink extends AutoCloseable {

  void write(Batch batch);

  /**
   * Completes the files and commits.
   *
   * @throws dev.varve.layout.error.VarveException COMMIT_CONFLICT after retries (nothing was
   *     changed, files are gone) or COMMIT_STATE_UNKNOWN (nothing is deleted: the commit may have
   *     happened)
   */
  SinkResult finish();

  @Override
  void close();

  /**
   * What was written. {@code snapshotId} is -1 where nothing was committed (COPY TO, or no rows).
   */
  record SinkResult(long rows, long files, long bytes, long snapshotId) {}
}
