package dev.varve.engine.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A statement of a topic file and its directives. */
public record SuiteStatement(
    String topic,
    int line,
    String sql,
    boolean ordered,
    Optional<String> error,
    Optional<List<List<String>>> expected) {

  /** All statements of the topic files in a folder. */
  public static List<SuiteStatement> topics(Path folder) throws IOException {
    List<SuiteStatement> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".sql")).sorted().toList()) {
        String name = file.getFileName().toString();
        if (!name.equals("data.sql")) {
          all.addAll(parse(name, Files.readString(file)));
        }
      }
    }
    return all;
  }

  /** Parses a topic file; see the README beside it. */
  public static List<SuiteStatement> parse(String topic, String text) {
    List<SuiteStatement> statements = new ArrayList<>();
    StringBuilder sql = new StringBuilder();
    boolean ordered = false;
    Optional<String> error = Optional.empty();
    List<List<String>> expected = null;
    int line = 0;
    int first = 0;
    for (String row : text.split("\n", -1)) {
      line++;
      String trimmed = row.trim();
      if (sql.isEmpty() && trimmed.startsWith("--")) {
        String directive = trimmed.substring(2).trim();
        if (directive.equals("ordered")) {
          ordered = true;
        } else if (directive.startsWith("error ")) {
          error = Optional.of(directive.substring(6).trim());
        } else if (directive.equals("expect")) {
          expected = new ArrayList<>();
        } else if (directive.startsWith("|") && expected != null) {
          List<String> cells = new ArrayList<>();
          for (String cell : directive.substring(1).split("\\|", -1)) {
            cells.add(cell.trim());
          }
          expected.add(cells);
        }
        continue;
      }
      if (trimmed.isEmpty() && sql.isEmpty()) {
        continue;
      }
      if (sql.isEmpty()) {
        first = line;
      }
      sql.append(row).append('\n');
      if (trimmed.endsWith(";")) {
        String statement = sql.toString().stripTrailing();
        statements.add(
            new SuiteStatement(
                topic,
                first,
                statement.substring(0, statement.length() - 1),
                ordered,
                error,
                Optional.ofNullable(expected)));
        sql.setLength(0);
        ordered = false;
        error = Optional.empty();
        expected = null;
      }
    }
    if (!sql.isEmpty()) {
      throw new IllegalStateException(topic + ":" + first + ": a statement without ';'");
    }
    return statements;
  }

  @Override
  public String toString() {
    return topic + ":" + line;
  }
}
