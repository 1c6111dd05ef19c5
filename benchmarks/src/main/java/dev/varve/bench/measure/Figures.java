package dev.varve.bench.measure;

import java.util.List;

/** What several runs of a statement took, in milliseconds. */
public record Figures(double wallMillis, double cpuMillis) {

  /** The median of wall times, and the mean of CPU times: their clock ticks in 10 milliseconds. */
  public static Figures of(List<Run> runs) {
    long[] sorted = runs.stream().mapToLong(Run::wallNanos).sorted().toArray();
    int middle = sorted.length / 2;
    double wall =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0;
    return new Figures(
        wall / 1e6, runs.stream().mapToLong(Run::cpuNanos).average().orElse(0) / 1e6);
  }
}
