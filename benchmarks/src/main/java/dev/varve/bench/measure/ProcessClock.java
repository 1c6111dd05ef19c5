package dev.varve.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** CPU time of this process, all threads, and the load of the machine. */
public final class ProcessClock {
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  public long cpuNanos() {
    return system.getProcessCpuTime();
  }

  /** Average number of tasks that ran or wanted to in the last minute; negative if unknown. */
  public double loadAverage() {
    return system.getSystemLoadAverage();
  }
}
