package dev.varve.bench.index;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/** Times of one thing that was done again and again. */
final class Samples {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final List<Long> cpuNanos = new ArrayList<>();
  private final List<Long> wallNanos = new ArrayList<>();

  void add(long cpu, long wall) {
    cpuNanos.add(cpu);
    wallNanos.add(wall);
  }

  /** By the clock of this thread; counted only if {@code counts}. */
  void measure(boolean counts, Runnable work) {
    long wall = System.nanoTime();
    long cpu = THREADS.getCurrentThreadCpuTime();
    work.run();
    if (counts) {
      add(THREADS.getCurrentThreadCpuTime() - cpu, System.nanoTime() - wall);
    }
  }

  double cpuMillis() {
    return median(cpuNanos);
  }

  double wallMillis() {
    return median(wallNanos);
  }

  private static double median(List<Long> nanos) {
    return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElse(0L) / 1e6;
  }
}
