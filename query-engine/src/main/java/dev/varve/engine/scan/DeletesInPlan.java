package dev.varve.engine.scan;

import dev.varve.layout.FileFacts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.DeleteFile;

/** How a plan tells which deletes a scan applies. */
final class DeletesInPlan {
  private DeletesInPlan() {}

  /** {@code [2 deletion vectors, 1 equality file]}; empty if nothing is deleted. */
  static Optional<String> describe(ScanTable table, List<FileFacts> files) {
    if (!table.deletes().any()) {
      return Optional.empty();
    }
    Set<String> vectors = new HashSet<>();
    Set<String> positions = new HashSet<>();
    Set<String> equality = new HashSet<>();
    for (FileFacts file : files) {
      FileDeletes deletes = table.deletes().of(file);
      for (DeleteFile delete : deletes.positions()) {
        if (DeleteFileReader.isVector(delete)) {
          vectors.add(delete.location() + "@" + delete.contentOffset());
        } else {
          positions.add(delete.location());
        }
      }
      deletes.equality().forEach(delete -> equality.add(delete.location()));
    }
    List<String> parts = new ArrayList<>();
    add(parts, vectors.size(), "deletion vector", "deletion vectors");
    add(parts, positions.size(), "position file", "position files");
    add(parts, equality.size(), "equality file", "equality files");
    return parts.isEmpty() ? Optional.empty() : Optional.of(parts.toString());
  }

  private static void add(List<String> parts, int count, String one, String more) {
    if (count > 0) {
      parts.add(count + " " + (count == 1 ? one : more));
    }
  }
}
