package dev.varve.engine.kernel.agg;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import java.util.Arrays;

/** COUNT of rows, or of values that are not null. */
public final class CountAccumulator implements GroupAccumulator {
  private long[] counts = {};

  @Override
  public long bytesPerGroup() {
    return 8;
  }

  @Override
  public void resize(int groups) {
    counts = Arrays.copyOf(counts, groups);
  }

  @Override
  public void update(int[] groups, int count, Column[] arguments) {
    if (arguments.length == 0 || !arguments[0].mayHaveNulls()) {
      for (int i = 0; i < count; i++) {
        counts[groups[i]]++;
      }
      return;
    }
    byte[] validity = arguments[0].validity();
    if (arguments[0] instanceof ConstantColumn || validity == null) {
      return;
    }
    int offset = arguments[0].offset();
    for (int i = 0; i < count; i++) {
      counts[groups[i]] += validity[offset + i];
    }
  }

  @Override
  public void updateAll(int count, Column[] arguments) {
    counts[0] += arguments.length == 0 ? count : count - arguments[0].nullCount();
  }

  @Override
  public void merge(int[] groups, int count, Column[] states) {
    LongColumn column = (LongColumn) states[0].flat();
    for (int i = 0; i < count; i++) {
      counts[groups[i]] += column.get(i);
    }
  }

  @Override
  public Column[] state(int from, int count) {
    return new Column[] {result(from, count)};
  }

  @Override
  public Column result(int from, int count) {
    return new LongColumn(DataType.BIGINT, Arrays.copyOfRange(counts, from, from + count), null);
  }

  @Override
  public void clear() {
    Arrays.fill(counts, 0);
  }
}
