package dev.varve.engine.statement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Logical plans of queries, the least recently used dropped first. A plan is handed out only after
 * the statement's own context has confirmed what it rests on, so nothing needs to be told of
 * changes of tables. Safe for concurrent use.
 */
public final class PlanCache {
  /** What the cache did since it was made, and what it holds. */
  public record Statistics(
      long hits, long misses, long invalidations, long evictions, int entries, long bytes) {}

  /** A plan in the cache. */
  public record Entry(String query, String catalog, String schema, long hits, long bytes) {}

  private static final int DEFAULT_ENTRIES = 1_000;
  private static final long DEFAULT_BYTES = 64L << 20;

  private final int maxEntries;
  private final long maxBytes;
  private final LinkedHashMap<PlanKey, CachedQuery> plans = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long hits;
  private long misses;
  private long invalidations;
  private long evictions;

  public PlanCache() {
    this(DEFAULT_ENTRIES, DEFAULT_BYTES);
  }

  public PlanCache(int maxEntries, long maxBytes) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
  }

  synchronized @Nullable CachedQuery find(PlanKey key) {
    return plans.get(key);
  }

  /** A found plan was confirmed, or another had to be made. */
  synchronized void count(boolean hit) {
    if (hit) {
      hits++;
    } else {
      misses++;
    }
  }

  /** One plan does not push out more than a few. */
  synchronized void put(PlanKey key, CachedQuery plan) {
    if (plan.bytes() > maxBytes / 8) {
      return;
    }
    CachedQuery before = plans.put(key, plan);
    bytes += plan.bytes() - (before == null ? 0 : before.bytes());
    var oldest = plans.entrySet().iterator();
    while (plans.size() > maxEntries || bytes > maxBytes) {
      bytes -= oldest.next().getValue().bytes();
      oldest.remove();
      evictions++;
    }
  }

  /** Drops a plan that does not hold any more, unless another has taken its place. */
  synchronized void invalidate(PlanKey key, CachedQuery plan) {
    if (plans.remove(key, plan)) {
      bytes -= plan.bytes();
      invalidations++;
    }
  }

  public synchronized Statistics statistics() {
    return new Statistics(hits, misses, invalidations, evictions, plans.size(), bytes);
  }

  public synchronized List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (Map.Entry<PlanKey, CachedQuery> each : plans.entrySet()) {
      PlanKey key = each.getKey();
      CachedQuery plan = each.getValue();
      entries.add(new Entry(key.text(), key.catalog(), key.schema(), plan.hits(), plan.bytes()));
    }
    return entries;
  }
}
