package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.runtime.TaskContext;
import org.jspecify.annotations.Nullable;

/** Counts the rows of each run of equal keys and passes those in the limit. */
final class GroupLimitStream extends OperatorStream {
  private final BatchStream input;
  private final OrderingKeys keys;
  private final long skip;
  private final long end;
  private @Nullable RowKeys openKey;
  private long seen;
  private int[] kept = {};

  GroupLimitStream(GroupLimitExec node, BatchStream input, TaskContext context) {
    super(node, context);
    this.input = input;
    this.keys = OrderingKeys.unordered(node.keys(), context);
    this.skip = node.skip();
    this.end =
        node.limit() > Long.MAX_VALUE - node.skip() ? Long.MAX_VALUE : node.skip() + node.limit();
  }

  @Override
  @Nullable Batch produce() {
    Batch batch = pull(input);
    if (batch == null) {
      return null;
    }
    int count = batch.rowCount();
    if (count == 0) {
      return batch;
    }
    Column[] columns = keys.columns(batch);
    RowKeys batchKeys = keys.encode(columns, count);
    if (kept.length < count) {
      kept = new int[count];
    }
    RowKeys open = openKey;
    int keptCount = 0;
    for (int i = 0; i < count; i++) {
      boolean continues =
          i == 0
              ? open != null && open.equal(0, batchKeys, 0)
              : batchKeys.equal(i - 1, batchKeys, i);
      seen = continues ? seen + 1 : 1;
      if (seen > skip && seen <= end) {
        kept[keptCount++] = i;
      }
    }
    Column[] last = new Column[columns.length];
    for (int k = 0; k < columns.length; k++) {
      last[k] = Gather.single(columns[k], count - 1);
    }
    openKey = keys.encode(last, 1);
    return keptCount == count ? batch : batch.take(kept, keptCount);
  }

  @Override
  void release() {
    input.close();
  }
}
