package dev.varve.bench.kernels;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.kernel.Comparisons;
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

/** {@code value < constant} for a batch of longs. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CompareBenchmark {
  private static final long LIMIT = 500;

  private final LongColumn[] batches = new LongColumn[Samples.BATCHES];
  private final Column constant =
      new ConstantColumn(new LongColumn(DataType.BIGINT, new long[] {LIMIT}, null), Samples.ROWS);
  private int next;

  @Setup
  public void fill() {
    Random random = new Random(1);
    for (int i = 0; i < batches.length; i++) {
      batches[i] = Samples.longs(DataType.BIGINT, random, 1000);
    }
  }

  private LongColumn batch() {
    return batches[next++ & Samples.BATCHES - 1];
  }

  @Benchmark
  public Column kernel() {
    return Comparisons.compare(ComparisonOp.LT, batch(), constant);
  }

  @Benchmark
  public byte[] plain() {
    long[] values = batch().values();
    byte[] out = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      if (values[i] < LIMIT) {
        out[i] = 1;
      }
    }
    return out;
  }
}
