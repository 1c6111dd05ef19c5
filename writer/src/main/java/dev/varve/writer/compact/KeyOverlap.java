package dev.varve.writer.compact;

import dev.varve.layout.key.EncodedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * How the key ranges of sorted files lie to one another. Ranges that only share an end key do not
 * overlap: read one after the other they are in order.
 */
final class KeyOverlap {
  private KeyOverlap() {}

  /** The most files that hold keys around one point; what a merge of all must keep open at once. */
  static int depth(List<SortedRun> runs) {
    List<SortedRun> sorted = runs.stream().sorted(SortedRun.BY_KEY).toList();
    PriorityQueue<EncodedKey> open = new PriorityQueue<>();
    int depth = 0;
    for (SortedRun run : sorted) {
      for (EncodedKey upper = open.peek();
          upper != null && upper.compareTo(run.range().lower()) <= 0;
          upper = open.peek()) {
        open.poll();
      }
      open.add(run.range().upper());
      depth = Math.max(depth, open.size());
    }
    return depth;
  }

  /** Splits runs, in key order, into the least sets that overlap no other. */
  static List<List<SortedRun>> components(List<SortedRun> runs) {
    List<SortedRun> sorted = runs.stream().sorted(SortedRun.BY_KEY).toList();
    List<List<SortedRun>> components = new ArrayList<>();
    List<SortedRun> open = new ArrayList<>();
    EncodedKey end = null;
    for (SortedRun run : sorted) {
      if (end != null && end.compareTo(run.range().lower()) <= 0) {
        components.add(open);
        open = new ArrayList<>();
        end = null;
      }
      open.add(run);
      EncodedKey upper = run.range().upper();
      end = end == null || upper.compareTo(end) > 0 ? upper : end;
    }
    if (!open.isEmpty()) {
      components.add(open);
    }
    return components;
  }
}
