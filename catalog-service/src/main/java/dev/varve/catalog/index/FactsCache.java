package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexQueries.StoredFacts;
import dev.varve.layout.FileFacts;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Unpacked facts of the files read last, up to a number of bytes. Facts of a file never change and
 * its id is never given again, so that nothing here gets stale. Safe for concurrent use.
 */
final class FactsCache {
  /** Unpacked facts take about this many times their packed size, and this much beside. */
  private static final int UNPACKED_FACTOR = 10;

  private static final int FILE_BYTES = 600;

  private final long limitBytes;
  private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  FactsCache(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  private record Key(long tableId, long fileId) {}

  private record Entry(FileFacts facts, long bytes) {}

  synchronized @Nullable FileFacts get(long tableId, long fileId) {
    Entry entry = entries.get(new Key(tableId, fileId));
    return entry == null ? null : entry.facts();
  }

  synchronized void put(long tableId, StoredFacts stored) {
    long size = FILE_BYTES + (long) UNPACKED_FACTOR * stored.packedBytes();
    Entry old = entries.put(new Key(tableId, stored.fileId()), new Entry(stored.facts(), size));
    bytes += size - (old == null ? 0 : old.bytes());
    var eldest = entries.entrySet().iterator();
    while (bytes > limitBytes && eldest.hasNext()) {
      bytes -= eldest.next().getValue().bytes();
      eldest.remove();
    }
  }
}
