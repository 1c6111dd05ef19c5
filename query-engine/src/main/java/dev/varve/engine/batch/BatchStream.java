package dev.varve.engine.batch;

import dev.varve.engine.type.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A pull stream of batches, confined to one task at a time. The creator closes it, at the end,
 * early, or after a failure; closing twice is harmless and closing never throws.
 */
public interface BatchStream extends AutoCloseable {

  Schema schema();

  /** The next batch, never empty; null at the end, and ever after. */
  @Nullable Batch next();

  @Override
  void close();
}
