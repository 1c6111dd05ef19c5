package dev.varve.bench.kernels;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.kernel.Comparisons;
import dev.varve.engine.type.DataType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** {@code word = 'special'} on a column with a dictionary, and on one without. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DictionaryBenchmark {
  private static final byte[] WORD = "special".getBytes(StandardCharsets.UTF_8);

  private final DictionaryColumn[] encoded = new DictionaryColumn[Samples.BATCHES];
  private final BytesColumn[] flat = new BytesColumn[Samples.BATCHES];
  private final Column constant =
      new ConstantColumn(
          ColumnBuilder.of(DataType.VARCHAR, 1).appendString("special").build(), Samples.ROWS);
  private int next;

  @Setup
  public void fill() {
    Random random = new Random(5);
    for (int i = 0; i < encoded.length; i++) {
      encoded[i] = Samples.words(random);
      flat[i] = (BytesColumn) encoded[i].flat();
    }
  }

  private int batch() {
    return next++ & Samples.BATCHES - 1;
  }

  @Benchmark
  public Column kernel() {
    return Comparisons.compare(ComparisonOp.EQ, encoded[batch()], constant);
  }

  @Benchmark
  public byte[] plain() {
    BytesColumn texts = flat[batch()];
    byte[] out = new byte[texts.length()];
    for (int i = 0; i < out.length; i++) {
      out[i] =
          (byte)
              (Arrays.equals(texts.data(), texts.start(i), texts.end(i), WORD, 0, WORD.length)
                  ? 1
                  : 0);
    }
    return out;
  }
}
