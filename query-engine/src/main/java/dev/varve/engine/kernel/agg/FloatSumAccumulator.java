package dev.varve.engine.kernel.agg;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.PhysicalType;
import java.util.Arrays;

/** SUM and AVG of floating point numbers, in doubles. */
public final class FloatSumAccumulator implements GroupAccumulator {
  private final DataType resultType;
  private final boolean average;
  private double[] sums = {};
  private long[] counts = {};

  public FloatSumAccumulator(DataType resultType, boolean average) {
    this.resultType = resultType;
    this.average = average;
  }

  @Override
  public long bytesPerGroup() {
    return 16;
  }

  @Override
  public void resize(int groups) {
    sums = Arrays.copyOf(sums, groups);
    counts = Arrays.copyOf(counts, groups);
  }

  @Override
  public void update(int[] groups, int count, Column[] arguments) {
    Column column = arguments[0].flat();
    double[] values = Doubles.of(column, count);
    byte[] validity = column.validity();
    int offset = column.offset();
    for (int i = 0; i < count; i++) {
      if (validity == null || validity[offset + i] != 0) {
        sums[groups[i]] += values[i];
        counts[groups[i]]++;
      }
    }
  }

  @Override
  public void updateAll(int count, Column[] arguments) {
    Column column = arguments[0].flat();
    double[] values = Doubles.of(column, count);
    byte[] validity = column.validity();
    int offset = column.offset();
    double sum = 0;
    long seen = 0;
    for (int i = 0; i < count; i++) {
      if (validity == null || validity[offset + i] != 0) {
        sum += values[i];
        seen++;
      }
    }
    if (seen > 0) {
      sums[0] += sum;
      counts[0] += seen;
    }
  }

  @Override
  public void merge(int[] groups, int count, Column[] states) {
    DoubleColumn stateSums = (DoubleColumn) states[0].flat();
    LongColumn stateCounts = (LongColumn) states[1].flat();
    for (int i = 0; i < count; i++) {
      sums[groups[i]] += stateSums.get(i);
      counts[groups[i]] += stateCounts.get(i);
    }
  }

  @Override
  public Column[] state(int from, int count) {
    return new Column[] {
      new DoubleColumn(DataType.DOUBLE, Arrays.copyOfRange(sums, from, from + count), null),
      new LongColumn(DataType.BIGINT, Arrays.copyOfRange(counts, from, from + count), null)
    };
  }

  @Override
  public Column result(int from, int count) {
    double[] values = Arrays.copyOfRange(sums, from, from + count);
    if (average) {
      for (int i = 0; i < count; i++) {
        values[i] /= Math.max(1, counts[from + i]);
      }
    }
    byte[] validity = Seen.validity(counts, from, count);
    if (resultType.physical() == PhysicalType.FLOAT) {
      float[] narrow = new float[count];
      for (int i = 0; i < count; i++) {
        narrow[i] = (float) values[i];
      }
      return new FloatColumn(resultType, narrow, validity);
    }
    return new DoubleColumn(resultType, values, validity);
  }

  @Override
  public void clear() {
    Arrays.fill(sums, 0);
    Arrays.fill(counts, 0);
  }
}
