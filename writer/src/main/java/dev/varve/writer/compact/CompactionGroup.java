package dev.varve.writer.compact;

import dev.varve.layout.FileFacts;
import java.util.List;

/**
 * Files that are rewritten together.
 *
 * @param sorted whether they are merged in the table's order; otherwise they are read one after
 *     another
 * @param depth how many of them overlap at most; 0 where there is no order
 */
record CompactionGroup(List<FileFacts> files, boolean sorted, int depth) {
  CompactionGroup {
    files = List.copyOf(files);
  }

  long bytes() {
    return files.stream().mapToLong(FileFacts::sizeBytes).sum();
  }
}
