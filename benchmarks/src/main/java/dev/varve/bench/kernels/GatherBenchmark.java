package dev.varve.bench.kernels;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.LongColumn;
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

/** A third of the rows of a batch. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class GatherBenchmark {
  private final LongColumn[] batches = new LongColumn[Samples.BATCHES];
  private int[] rows = {};
  private int next;

  @Setup
  public void fill() {
    Random random = new Random(7);
    for (int i = 0; i < batches.length; i++) {
      batches[i] = Samples.longs(DataType.BIGINT, random, 1000);
    }
    rows =
        java.util.stream.IntStream.range(0, Samples.ROWS)
            .filter(row -> random.nextInt(3) == 0)
            .toArray();
  }

  private LongColumn batch() {
    return batches[next++ & Samples.BATCHES - 1];
  }

  @Benchmark
  public Column kernel() {
    return batch().take(rows, rows.length);
  }

  @Benchmark
  public long[] plain() {
    long[] values = batch().values();
    long[] taken = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      taken[i] = values[rows[i]];
    }
    return taken;
  }
}
