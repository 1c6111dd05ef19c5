package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.kernel.gather.Concat;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts small batches together, in their order, so that what follows does not pay for each of them.
 * Large ones pass as they are. To a reader that needs few rows they come late, but not very: after
 * some additions whatever there is goes out. Confined to one task.
 */
final class BatchCoalescer {
  private static final int MAX_ADDITIONS = 16;

  private final Schema schema;
  private final int enough;
  private final List<Batch> small = new ArrayList<>();
  private int rows;
  private int additions;

  BatchCoalescer(Schema schema, int batchSize) {
    this.schema = schema;
    this.enough = Math.max(1, batchSize / 2);
  }

  /** A batch that is large enough to go on, if there is one by now; null adds nothing. */
  @Nullable Batch add(@Nullable Batch batch) {
    if (batch == null || batch.rowCount() == 0) {
      return rows > 0 && ++additions >= MAX_ADDITIONS ? flush() : null;
    }
    if (small.isEmpty() && batch.rowCount() >= enough) {
      return batch;
    }
    small.add(batch);
    rows += batch.rowCount();
    return rows >= enough || ++additions >= MAX_ADDITIONS ? flush() : null;
  }

  /** What is left; null if nothing is. */
  @Nullable Batch flush() {
    if (small.isEmpty()) {
      return null;
    }
    Batch all = small.size() == 1 ? small.get(0) : Concat.batches(schema, small);
    clear();
    return all;
  }

  void clear() {
    small.clear();
    rows = 0;
    additions = 0;
  }
}
