package dev.varve.engine.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Data of other writers, which is not part of the repository: the folder named by the system
 * property {@code varve.sharedData}, or {@code ../shared/data} beside the repository.
 */
public final class SharedData {
  private SharedData() {}

  public static Optional<Path> folder(String name) {
    String property = System.getProperty("varve.sharedData");
    if (property != null) {
      return Optional.of(Path.of(property, name)).filter(Files::isDirectory);
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path found = at.resolve("shared/data").resolve(name);
      if (Files.isDirectory(found)) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }
}
