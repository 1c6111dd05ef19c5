package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.junit.jupiter.api.Test;

class BloomProbeTest {
  private static final int VALUES = 20_000;

  @Test
  void aFilterThatTasksShareNeverLosesAValue() throws Exception {
    BlockSplitBloomFilter filter = new BlockSplitBloomFilter(1 << 16);
    for (long value = 0; value < VALUES; value++) {
      filter.insertHash(filter.hash(value));
    }
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int task = 0; task < 4; task++) {
      int first = task * 7;
      tasks.add(
          () -> {
            int lost = 0;
            for (int i = 0; i < VALUES; i++) {
              long value = (first + (long) i * 13) % VALUES;
              BloomProbe probe = f -> f.findHash(f.hash(value));
              lost += BloomProbe.ask(probe, filter) ? 0 : 1;
            }
            return lost;
          });
    }
    try (ExecutorService executor = Executors.newFixedThreadPool(4)) {
      for (Future<Integer> lost : executor.invokeAll(tasks)) {
        assertThat(lost.get()).isZero();
      }
    }
  }
}
