package dev.varve.engine.differential;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An entry of {@code differential/divergences.txt}; the file says what its parts are. */
record Divergence(
    String title, String reason, String peer, String sql, String postgres, String duckdb) {
  static List<Divergence> all() {
    String text;
    try (InputStream in = Divergence.class.getResourceAsStream("/differential/divergences.txt")) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Divergence> all = new ArrayList<>();
    String[] entries = text.split("(?m)^== ");
    for (int i = 1; i < entries.length; i++) {
      all.add(parse(entries[i]));
    }
    return all;
  }

  private static Divergence parse(String entry) {
    String[] lines = entry.strip().split("\n");
    Map<String, String> parts = new HashMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(": ");
      parts.put(lines[i].substring(0, colon), lines[i].substring(colon + 2).strip());
    }
    return new Divergence(
        lines[0],
        part(parts, "reason", entry),
        part(parts, "peer", entry),
        part(parts, "sql", entry),
        part(parts, "postgres", entry),
        part(parts, "duckdb", entry));
  }

  private static String part(Map<String, String> parts, String name, String entry) {
    String part = parts.get(name);
    if (part == null) {
      throw new IllegalStateException("a divergence without " + name + ":\n" + entry);
    }
    return part;
  }

  /** The settings with which DuckDB means the same. */
  static List<String> peerSettings() {
    return all().stream().map(Divergence::peer).filter(p -> p.startsWith("SET ")).toList();
  }
}
