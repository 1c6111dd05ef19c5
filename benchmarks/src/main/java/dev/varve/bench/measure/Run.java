package dev.varve.bench.measure;

/** What one run of a statement took. */
public record Run(long wallNanos, long cpuNanos) {

  /** Runs {@code work} and takes its wall time and the CPU time of this whole process. */
  public static Run of(ProcessClock clock, Runnable work) {
    long cpu = clock.cpuNanos();
    long wall = System.nanoTime();
    work.run();
    return new Run(System.nanoTime() - wall, clock.cpuNanos() - cpu);
  }
}
