package dev.varve.engine.connector;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The queries of this process: those that run and the latest that ended. Safe for concurrent use.
 */
public final class QueryRegistry {
  private static final int KEPT = 1000;

  /** What system.queries shows of one query. */
  public record Entry(
      String id,
      String user,
      String state,
      String sql,
      long submittedMicros,
      long queuedMillis,
      long planningMillis,
      long executionMillis,
      long rows,
      long bytesRead,
      long memoryPeakBytes,
      String error) {}

  private final Map<String, Supplier<Entry>> running = new LinkedHashMap<>();
  private final Deque<Entry> ended = new ArrayDeque<>();

  public synchronized void started(String id, Supplier<Entry> entry) {
    running.put(id, entry);
  }

  public synchronized void ended(Entry entry) {
    if (running.remove(entry.id()) == null) {
      return;
    }
    ended.addLast(entry);
    if (ended.size() > KEPT) {
      ended.removeFirst();
    }
  }

  /** Oldest first. */
  public List<Entry> entries() {
    List<Supplier<Entry>> live;
    List<Entry> entries;
    synchronized (this) {
      entries = new ArrayList<>(ended);
      live = List.copyOf(running.values());
    }
    live.forEach(entry -> entries.add(entry.get()));
    return entries;
  }
}
