package dev.varve.bench.kernels;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.kernel.ByteSearch;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A word in comments of some 50 bytes: {@code LIKE '%word%'}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SearchBenchmark {
  /** One that occurs often and starts with a frequent letter, and one that never does. */
  @Param({"special", "zebra", "ed"})
  public String word = "special";

  private final BytesColumn[] batches = new BytesColumn[Samples.BATCHES];
  private byte[] wanted = {};
  private int next;

  @Setup
  public void fill() {
    Random random = new Random(3);
    wanted = word.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < batches.length; i++) {
      batches[i] = Samples.comments(random);
    }
  }

  private BytesColumn batch() {
    return batches[next++ & Samples.BATCHES - 1];
  }

  @Benchmark
  public int kernel() {
    BytesColumn texts = batch();
    int found = 0;
    for (int row = 0; row < texts.length(); row++) {
      found += ByteSearch.find(wanted, texts.data(), texts.start(row), texts.end(row)) < 0 ? 0 : 1;
    }
    return found;
  }

  @Benchmark
  public int plain() {
    BytesColumn texts = batch();
    int found = 0;
    for (int row = 0; row < texts.length(); row++) {
      found +=
          ByteSearch.findByByte(wanted, texts.data(), texts.start(row), texts.end(row)) < 0 ? 0 : 1;
    }
    return found;
  }
}
