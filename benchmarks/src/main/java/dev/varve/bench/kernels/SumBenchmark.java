package dev.varve.bench.kernels;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.kernel.agg.ExactSumAccumulator;
import dev.varve.engine.type.DataType;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A sum that cannot overflow, and one that may. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SumBenchmark {
  private static final DataType TYPE = DataType.decimal(15, 2);

  private final LongColumn[] batches = new LongColumn[Samples.BATCHES];
  private final ExactSumAccumulator sum =
      new ExactSumAccumulator(DataType.decimal(38, 2), 2, false);
  private long plainSum;
  private int next;

  @Setup
  public void fill() {
    Random random = new Random(6);
    for (int i = 0; i < batches.length; i++) {
      batches[i] = Samples.longs(TYPE, random, 10_000_000);
    }
    sum.resize(1);
  }

  private LongColumn batch() {
    return batches[next++ & Samples.BATCHES - 1];
  }

  @Benchmark
  public ExactSumAccumulator kernel() {
    sum.updateAll(Samples.ROWS, new Column[] {batch()});
    return sum;
  }

  @Benchmark
  public long plain() {
    for (long value : batch().values()) {
      plainSum += value;
    }
    return plainSum;
  }
}
