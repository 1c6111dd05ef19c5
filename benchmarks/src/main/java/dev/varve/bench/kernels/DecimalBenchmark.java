package dev.varve.bench.kernels;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.kernel.Arithmetic;
import dev.varve.engine.kernel.ArithmeticOp;
import dev.varve.engine.type.DataType;
import java.math.BigDecimal;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** {@code price * (1 - discount)} as decimals whose product has 31 digits at most. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DecimalBenchmark {
  private static final DataType PRICE = DataType.decimal(15, 2);
  private static final DataType SHARE = DataType.decimal(16, 2);
  private static final DataType PRODUCT = DataType.decimal(31, 4);

  private final LongColumn[] prices = new LongColumn[Samples.BATCHES];
  private final LongColumn[] shares = new LongColumn[Samples.BATCHES];
  private int next;

  @Setup
  public void fill() {
    Random random = new Random(4);
    for (int i = 0; i < prices.length; i++) {
      prices[i] = Samples.longs(PRICE, random, 10_000_000);
      shares[i] = Samples.longs(SHARE, random, 100);
    }
  }

  private int batch() {
    return next++ & Samples.BATCHES - 1;
  }

  @Benchmark
  public Column kernel() {
    int i = batch();
    return Arithmetic.apply(ArithmeticOp.MULTIPLY, prices[i], shares[i], PRODUCT);
  }

  /** The loop that knows that nothing is too large. */
  @Benchmark
  public Column plain() {
    int batch = batch();
    long[] price = prices[batch].values();
    long[] share = shares[batch].values();
    long[] high = new long[price.length];
    long[] low = new long[price.length];
    for (int i = 0; i < price.length; i++) {
      low[i] = price[i] * share[i];
      high[i] = low[i] >> 63;
    }
    return new Int128Column(PRODUCT, high, low, null);
  }

  @Benchmark
  public BigDecimal bigDecimal() {
    int batch = batch();
    BigDecimal last = BigDecimal.ZERO;
    for (int i = 0; i < Samples.ROWS; i++) {
      last =
          BigDecimal.valueOf(prices[batch].get(i), 2)
              .multiply(BigDecimal.valueOf(shares[batch].get(i), 2));
    }
    return last;
  }
}
