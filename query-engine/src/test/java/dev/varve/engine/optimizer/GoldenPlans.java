package dev.varve.engine.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Expected plans as text, in {@code src/test/plans}: one file for each test class, one section for
 * each test, {@code ## name} and the plan. With {@code -Dvarve.plans.regenerate=true} the sections
 * are written instead of compared; read the difference before committing it.
 */
final class GoldenPlans {
  private static final boolean REGENERATE = Boolean.getBoolean("varve.plans.regenerate");

  private final Path file;
  private final Map<String, String> sections = new LinkedHashMap<>();

  GoldenPlans(String name) {
    this.file = directory().resolve(name + ".txt");
    if (Files.exists(file)) {
      read();
    }
  }

  private static Path directory() {
    Path local = Path.of("src", "test", "plans");
    return Files.exists(Path.of("src", "test")) ? local : Path.of("query-engine").resolve(local);
  }

  private void read() {
    try {
      for (String section : Files.readString(file).split("(?m)^## ", -1)) {
        if (!section.isBlank()) {
          int end = section.indexOf('\n');
          sections.put(section.substring(0, end).trim(), section.substring(end + 1).strip());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void check(String test, String plan) {
    if (REGENERATE) {
      sections.put(test, plan.strip());
      write();
      return;
    }
    assertThat(plan.strip()).as("the plan '%s' in %s", test, file).isEqualTo(sections.get(test));
  }

  private void write() {
    StringBuilder text = new StringBuilder();
    new java.util.TreeMap<>(sections)
        .forEach(
            (name, plan) ->
                text.append("## ").append(name).append('\n').append(plan).append("\n\n"));
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text.toString().stripTrailing() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
