package dev.varve.engine.operator;

import dev.varve.engine.spill.SpillFile;
import java.util.ArrayList;
import java.util.List;

/**
 * A build side that did not fit into memory: its rows on disk, in parts by their keys. Where build
 * rows come out at the end, the probe sides of all streams are gathered here as well, for the last
 * of them to join. Safe for concurrent use.
 */
final class SpilledBuild implements BuildSide {
  private final List<List<SpillFile>> build = new ArrayList<>();
  private final List<List<SpillFile>> probe = new ArrayList<>();

  /** All files have been sealed. */
  SpilledBuild(List<SpilledSide> sides, int parts) {
    for (int part = 0; part < parts; part++) {
      build.add(filesOf(sides, part));
      probe.add(new ArrayList<>());
    }
  }

  private static List<SpillFile> filesOf(List<SpilledSide> sides, int part) {
    List<SpillFile> files = new ArrayList<>();
    sides.forEach(side -> files.addAll(side.part(part)));
    return files;
  }

  int parts() {
    return build.size();
  }

  List<SpillFile> build(int part) {
    return build.get(part);
  }

  /** Adds the rows of one stream's probe side, which have been sealed. */
  synchronized void addProbe(SpilledSide side) {
    for (int part = 0; part < probe.size(); part++) {
      probe.get(part).addAll(side.part(part));
    }
  }

  synchronized List<SpillFile> probe(int part) {
    return List.copyOf(probe.get(part));
  }
}
