package dev.varve.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Most memory this process had in use at once; known on Linux only. */
public final class PeakMemory {
  private static final String FIELD = "VmHWM:";

  private PeakMemory() {}

  public static OptionalLong ofProcess() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith(FIELD))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
