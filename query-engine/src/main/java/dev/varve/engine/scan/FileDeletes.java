package dev.varve.engine.scan;

import java.util.List;
import org.apache.iceberg.DeleteFile;

/**
 * The delete files that apply to one data file: those that their sequence numbers and partitions
 * let apply, as Iceberg defines it.
 *
 * @param sequenceNumber the data file's: an equality delete applies if its own is greater
 * @param positions deletion vectors and files of positions
 * @param equality files of values
 */
record FileDeletes(long sequenceNumber, List<DeleteFile> positions, List<DeleteFile> equality) {
  static final FileDeletes NONE = new FileDeletes(0, List.of(), List.of());

  FileDeletes {
    positions = List.copyOf(positions);
    equality = List.copyOf(equality);
  }

  boolean isEmpty() {
    return positions.isEmpty() && equality.isEmpty();
  }
}
