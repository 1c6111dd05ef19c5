package dev.varve.engine.scan;

import dev.varve.layout.FileFacts;
import java.util.List;

/**
 * What one partition reads: the slices of each chain one after the other; several chains are merged
 * by the order that each of them has.
 */
record FileGroup(List<List<FileSlice>> chains) {
  FileGroup {
    chains = chains.stream().map(List::copyOf).toList();
  }

  static FileGroup chain(List<FileSlice> slices) {
    return new FileGroup(List.of(slices));
  }

  static FileGroup of(List<FileFacts> files) {
    return chain(files.stream().map(FileSlice::whole).toList());
  }

  /** All slices, chain by chain. */
  List<FileSlice> slices() {
    return chains.size() == 1 ? chains.get(0) : chains.stream().flatMap(List::stream).toList();
  }

  boolean isMerged() {
    return chains.size() > 1;
  }
}
