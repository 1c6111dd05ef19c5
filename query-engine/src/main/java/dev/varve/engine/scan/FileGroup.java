package dev.varve.engine.scan;

import dev.varve.layout.FileFacts;
import java.util.List;

/** What one partition reads, in this order. */
record FileGroup(List<FileSlice> slices) {
  FileGroup {
    slices = List.copyOf(slices);
  }

  static FileGroup of(List<FileFacts> files) {
    return new FileGroup(files.stream().map(FileSlice::whole).toList());
  }

  long bytes() {
    return slices.stream().mapToLong(FileSlice::bytes).sum();
  }
}
