package dev.varve.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * How busy others kept the machine while we measured: cores in use, less those this process used.
 * Known on Linux only.
 */
public final class MachineLoad {
  private static final Path STAT = Path.of("/proc/stat");
  private static final Pattern SPACES = Pattern.compile("\\s+");

  /** The kernel counts in hundredths of a second for user space, whatever its own tick is. */
  private static final long NANOS_PER_TICK = 10_000_000;

  private final ProcessClock clock;
  private final long startNanos = System.nanoTime();
  private final long startCpu;
  private final long startBusy;

  private MachineLoad(ProcessClock clock) {
    this.clock = clock;
    this.startCpu = clock.cpuNanos();
    this.startBusy = busyNanos();
  }

  public static MachineLoad start(ProcessClock clock) {
    return new MachineLoad(clock);
  }

  /** Cores that other processes used since the start, on average. */
  public OptionalDouble coresOfOthers() {
    long busy = busyNanos();
    if (startBusy < 0 || busy < 0) {
      return OptionalDouble.empty();
    }
    double others = (double) (busy - startBusy) - (clock.cpuNanos() - startCpu);
    return OptionalDouble.of(Math.max(0, others / (System.nanoTime() - startNanos)));
  }

  /** user + nice + system + irq + softirq + steal; -1 if unknown. */
  private static long busyNanos() {
    try {
      String[] fields = SPACES.split(Files.readAllLines(STAT).get(0));
      long ticks = 0;
      for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
        ticks += Long.parseLong(fields[i]);
      }
      return ticks * NANOS_PER_TICK;
    } catch (IOException | RuntimeException e) {
      return -1;
    }
  }
}
