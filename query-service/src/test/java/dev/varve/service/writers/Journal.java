package dev.varve.service.writers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one writer is about to do and what came of it, line by line in a file that outlives the
 * writer's process. A change without an outcome was under way when its process was killed.
 */
final class Journal {
  enum Outcome {
    ACKNOWLEDGED,
    REFUSED,
    UNKNOWN
  }

  /**
   * A commit: rows that it adds to each of its tables, and rows that it takes away.
   *
   * @param kind {@code append}, {@code delete}, ...
   */
  record Change(
      String kind, List<String> tables, List<Long> added, List<Long> removed, Outcome outcome) {}

  private final Path file;
  private int next;

  Journal(Path file) {
    this.file = file;
  }

  /** Notes a change before it is made; answers its number. */
  int begin(String kind, List<String> tables, List<Long> added, List<Long> removed) {
    int number = next++;
    write(
        number
            + ";begin;"
            + kind
            + ";"
            + String.join(",", tables)
            + ";"
            + text(added)
            + ";"
            + text(removed)
            + "\n");
    return number;
  }

  void end(int number, Outcome outcome) {
    write(number + ";end;" + outcome + "\n");
  }

  private void write(String line) {
    try {
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(List<Long> ids) {
    return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static List<Long> ids(String text) {
    return text.isEmpty() ? List.of() : Arrays.stream(text.split(",")).map(Long::valueOf).toList();
  }

  /** All changes of a journal; a line that was cut off by a kill is none. */
  static List<Change> read(Path file) throws IOException {
    String text = Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
    Map<Integer, Change> changes = new LinkedHashMap<>();
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      String[] parts = line.split(";", -1);
      int number = Integer.parseInt(parts[0]);
      if (parts[1].equals("begin")) {
        changes.put(
            number,
            new Change(
                parts[2],
                List.of(parts[3].split(",")),
                ids(parts[4]),
                ids(parts[5]),
                Outcome.UNKNOWN));
      } else {
        Change begun = changes.get(number);
        changes.put(
            number,
            new Change(
                begun.kind(),
                begun.tables(),
                begun.added(),
                begun.removed(),
                Outcome.valueOf(parts[2])));
      }
    }
    return List.copyOf(changes.values());
  }
}
