package dev.varve.engine.scan;

import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.layout.FileFacts;
import java.util.List;

/**
 * The row groups of a file that begin in [start, end), and of their rows those that pass {@code
 * within}, conditions over the table's columns. Together the slices of a file cover it, and no row
 * is in two.
 */
record FileSlice(FileFacts file, long start, long end, List<PhysicalExpr> within) {
  FileSlice {
    within = List.copyOf(within);
  }

  FileSlice(FileFacts file, long start, long end) {
    this(file, start, end, List.of());
  }

  static FileSlice whole(FileFacts file) {
    return new FileSlice(file, 0, Long.MAX_VALUE);
  }

  boolean isWhole() {
    return start == 0 && end == Long.MAX_VALUE && within.isEmpty();
  }

  /** Whether rows of its row groups belong to other slices. */
  boolean isPartOfRange() {
    return !within.isEmpty();
  }

  long bytes() {
    return Math.min(end, file.sizeBytes()) - Math.min(start, file.sizeBytes());
  }
}
