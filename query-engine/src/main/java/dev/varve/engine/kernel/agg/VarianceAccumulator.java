package dev.varve.engine.kernel.agg;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import java.util.Arrays;

/**
 * Variance and standard deviation: count, mean and sum of squared distances, updated after Welford
 * and merged after Chan, Golub and LeVeque.
 */
public final class VarianceAccumulator implements GroupAccumulator {
  private final boolean sample;
  private final boolean root;
  private long[] counts = {};
  private double[] means = {};
  private double[] squares = {};

  public VarianceAccumulator(boolean sample, boolean root) {
    this.sample = sample;
    this.root = root;
  }

  @Override
  public long bytesPerGroup() {
    return 24;
  }

  @Override
  public void resize(int groups) {
    counts = Arrays.copyOf(counts, groups);
    means = Arrays.copyOf(means, groups);
    squares = Arrays.copyOf(squares, groups);
  }

  @Override
  public void update(int[] groups, int count, Column[] arguments) {
    Column column = arguments[0].flat();
    double[] values = Doubles.of(column, count);
    byte[] validity = column.validity();
    int offset = column.offset();
    for (int i = 0; i < count; i++) {
      if (validity == null || validity[offset + i] != 0) {
        int group = groups[i];
        double distance = values[i] - means[group];
        means[group] += distance / ++counts[group];
        squares[group] += distance * (values[i] - means[group]);
      }
    }
  }

  @Override
  public void updateAll(int count, Column[] arguments) {
    update(new int[count], count, arguments);
  }

  @Override
  public void merge(int[] groups, int count, Column[] states) {
    LongColumn otherCounts = (LongColumn) states[0].flat();
    DoubleColumn otherMeans = (DoubleColumn) states[1].flat();
    DoubleColumn otherSquares = (DoubleColumn) states[2].flat();
    for (int i = 0; i < count; i++) {
      long other = otherCounts.get(i);
      if (other > 0) {
        int group = groups[i];
        long total = counts[group] + other;
        double distance = otherMeans.get(i) - means[group];
        squares[group] += otherSquares.get(i) + distance * distance * counts[group] / total * other;
        means[group] += distance * other / total;
        counts[group] = total;
      }
    }
  }

  @Override
  public Column[] state(int from, int count) {
    return new Column[] {
      new LongColumn(DataType.BIGINT, Arrays.copyOfRange(counts, from, from + count), null),
      new DoubleColumn(DataType.DOUBLE, Arrays.copyOfRange(means, from, from + count), null),
      new DoubleColumn(DataType.DOUBLE, Arrays.copyOfRange(squares, from, from + count), null)
    };
  }

  @Override
  public Column result(int from, int count) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      long divisor = counts[from + i] - (sample ? 1 : 0);
      double variance = squares[from + i] / Math.max(1, divisor);
      values[i] = root ? Math.sqrt(variance) : variance;
    }
    return new DoubleColumn(
        DataType.DOUBLE, values, Seen.validity(counts, from, count, sample ? 2 : 1));
  }

  @Override
  public void clear() {
    Arrays.fill(counts, 0);
    Arrays.fill(means, 0);
    Arrays.fill(squares, 0);
  }
}
