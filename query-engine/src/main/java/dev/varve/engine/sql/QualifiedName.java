package dev.varve.engine.sql;

import dev.varve.layout.error.SourcePosition;
import java.util.List;

/** A name of up to three parts as a statement wrote it, folded to lower case where unquoted. */
public record QualifiedName(List<String> parts, SourcePosition position) {
  public QualifiedName {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a name has at least one part");
    }
  }

  public String last() {
    return parts.getLast();
  }

  @Override
  public String toString() {
    return String.join(".", parts);
  }
}
