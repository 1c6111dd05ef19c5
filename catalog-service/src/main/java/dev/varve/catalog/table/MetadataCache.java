package dev.varve.catalog.table;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.iceberg.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The metadata files read last, parsed. A metadata file is never written twice, so that nothing
 * here gets stale: which one is a table's is asked of the database each time. Safe for concurrent
 * use.
 */
final class MetadataCache {
  private static final int MOST_ENTRIES = 256;

  private final Map<String, TableMetadata> entries =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TableMetadata> eldest) {
          return size() > MOST_ENTRIES;
        }
      };

  /** Reads outside of the lock: two that miss at once both read. */
  TableMetadata get(String location, Function<String, TableMetadata> read) {
    @Nullable TableMetadata known;
    synchronized (entries) {
      known = entries.get(location);
    }
    if (known != null) {
      return known;
    }
    TableMetadata metadata = read.apply(location);
    synchronized (entries) {
      entries.put(location, metadata);
    }
    return metadata;
  }
}
