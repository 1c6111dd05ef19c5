package dev.varve.engine.runtime;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of one plan node over all its partitions. Safe for concurrent use. Names with units:
 * {@code output_rows}, {@code output_batches}, {@code elapsed_compute_nanos} (waiting for children
 * excluded), {@code memory_peak_bytes}, {@code bytes_read}, {@code files_total}, {@code
 * files_pruned}, {@code row_groups_total}, {@code row_groups_pruned_statistics}, {@code
 * row_groups_pruned_bloom}, {@code pages_total}, {@code pages_pruned}, {@code rows_pruned}, {@code
 * spill_files}, {@code spilled_rows}, {@code spilled_bytes}.
 */
public final class MetricSet {
  private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();

  public LongAdder counter(String name) {
    return counters.computeIfAbsent(name, n -> new LongAdder());
  }

  public void add(String name, long amount) {
    counter(name).add(amount);
  }

  /** A copy, sorted by name. */
  public Map<String, Long> snapshot() {
    Map<String, Long> values = new TreeMap<>();
    counters.forEach((name, counter) -> values.put(name, counter.sum()));
    return values;
  }
}
