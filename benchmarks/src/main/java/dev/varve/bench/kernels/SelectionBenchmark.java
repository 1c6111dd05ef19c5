package dev.varve.bench.kernels;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.kernel.Booleans;
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

/** From a mask to row numbers; a third of the rows is true. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SelectionBenchmark {
  private final BooleanColumn[] batches = new BooleanColumn[Samples.BATCHES];
  private final int[] rows = new int[Samples.ROWS];
  private int next;

  @Setup
  public void fill() {
    Random random = new Random(2);
    for (int i = 0; i < batches.length; i++) {
      byte[] mask = new byte[Samples.ROWS];
      for (int row = 0; row < mask.length; row++) {
        mask[row] = (byte) (random.nextInt(3) == 0 ? 1 : 0);
      }
      batches[i] = new BooleanColumn(DataType.BOOLEAN, mask, null);
    }
  }

  private BooleanColumn batch() {
    return batches[next++ & Samples.BATCHES - 1];
  }

  @Benchmark
  public int kernel() {
    return Booleans.trueRows(batch(), rows);
  }

  @Benchmark
  public int plain() {
    byte[] values = batch().values();
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (values[i] != 0) {
        rows[count++] = i;
      }
    }
    return count;
  }
}
