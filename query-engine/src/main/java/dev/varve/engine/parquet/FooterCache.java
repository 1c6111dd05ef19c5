package dev.varve.engine.parquet;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Parsed pieces of immutable files (footers, page indexes, bloom filters), the least recently used
 * dropped when they exceed a budget. Safe for concurrent use; a piece that two tasks miss at the
 * same time is parsed twice.
 */
public final class FooterCache {
  /** A piece of a file: its offset, and what it was parsed as. */
  public record Key(String path, long fileSize, long offset, Class<?> kind) {}

  private record Entry(Object value, long bytes) {}

  private final long limitBytes;
  private final Map<Key, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);
  private long bytes;

  public FooterCache(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The piece, parsed by {@code load} if it is not here; {@code weight} is about its heap size. */
  public <T> T get(Key key, Class<T> kind, Supplier<T> load, ToLongFunction<T> weight) {
    synchronized (entries) {
      Entry entry = entries.get(key);
      if (entry != null) {
        return kind.cast(entry.value);
      }
    }
    T value = load.get();
    put(key, value, weight.applyAsLong(value));
    return value;
  }

  private void put(Key key, Object value, long weight) {
    synchronized (entries) {
      Entry old = entries.put(key, new Entry(value, weight));
      bytes += weight - (old == null ? 0 : old.bytes);
      var eldest = entries.entrySet().iterator();
      while (bytes > limitBytes && eldest.hasNext()) {
        bytes -= eldest.next().getValue().bytes;
        eldest.remove();
      }
    }
  }

  public long bytes() {
    synchronized (entries) {
      return bytes;
    }
  }
}
