package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexQueries.Known;
import dev.varve.catalog.index.IndexQueries.StoredFacts;
import dev.varve.layout.FileFacts;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Facts of the files read last, up to a number of bytes. A file's id is never given again, and each
 * change of facts raises the version of its table: facts read at an older version than the newest
 * that was seen are not taken in. Safe for concurrent use.
 */
final class FactsCache {
  /** What facts take of the heap beside what stays packed: path, orders, the entry itself. */
  private static final int FILE_BYTES = 1_000;

  private final long limitBytes;
  private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Long, Long> versions = new HashMap<>();
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

  /** The newest version of a table's facts that was seen. */
  synchronized long version(long tableId) {
    return versions.getOrDefault(tableId, 0L);
  }

  /** Drops facts that a version changed. */
  synchronized void forget(long tableId, long version, List<Long> fileIds) {
    versions.merge(tableId, version, Math::max);
    for (Long fileId : fileIds) {
      Entry old = entries.remove(new Key(tableId, fileId));
      bytes -= old == null ? 0 : old.bytes();
    }
  }

  /** Keeps facts that were read when the table stood at a version. */
  synchronized void put(Known table, StoredFacts stored) {
    long tableId = table.tableId();
    if (table.factsVersion() < version(tableId)) {
      return;
    }
    long size = FILE_BYTES + stored.packedBytes();
    Entry old = entries.put(new Key(tableId, stored.fileId()), new Entry(stored.facts(), size));
    bytes += size - (old == null ? 0 : old.bytes());
    var eldest = entries.entrySet().iterator();
    while (bytes > limitBytes && eldest.hasNext()) {
      bytes -= eldest.next().getValue().bytes();
      eldest.remove();
    }
  }
}
