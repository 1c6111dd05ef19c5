package dev.varve.engine.scan;

import dev.varve.engine.memory.MemoryReservation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The positions that a delete file deletes in several data files, by the path of each. Confined to
 * one task while it is filled; safe for concurrent reads afterwards.
 */
final class PositionLists {
  private static final int FIRST = 16;

  private static final class Positions {
    private long[] values = {};
    private int count;
  }

  private final Set<String> wanted;
  private final MemoryReservation memory;
  private final Map<String, Positions> byPath = new HashMap<>();

  /**
   * @param wanted the data files that are asked about; others are passed over
   */
  PositionLists(Set<String> wanted, MemoryReservation memory) {
    this.wanted = wanted;
    this.memory = memory;
  }

  void add(String path, long position) {
    if (!wanted.contains(path)) {
      return;
    }
    Positions positions = byPath.computeIfAbsent(path, p -> new Positions());
    int length = positions.values.length;
    if (positions.count == length) {
      int grown = length == 0 ? FIRST : Math.multiplyExact(length, 2);
      memory.grow(8L * grown);
      positions.values = Arrays.copyOf(positions.values, grown);
      memory.shrink(8L * length);
    }
    positions.values[positions.count++] = position;
  }

  void forEach(String path, LongConsumer action) {
    Positions positions = byPath.get(path);
    if (positions != null) {
      for (int i = 0; i < positions.count; i++) {
        action.accept(positions.values[i]);
      }
    }
  }
}
