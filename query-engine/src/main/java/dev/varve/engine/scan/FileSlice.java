package dev.varve.engine.scan;

import dev.varve.layout.FileFacts;

/**
 * The row groups of a file that begin in [start, end). The slices of a file are disjoint and cover
 * it, so that each row group is in exactly one.
 */
record FileSlice(FileFacts file, long start, long end) {
  static FileSlice whole(FileFacts file) {
    return new FileSlice(file, 0, Long.MAX_VALUE);
  }

  boolean isWhole() {
    return start == 0 && end == Long.MAX_VALUE;
  }

  long bytes() {
    return Math.min(end, file.sizeBytes()) - Math.min(start, file.sizeBytes());
  }
}
