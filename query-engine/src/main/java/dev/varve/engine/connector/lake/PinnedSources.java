package dev.varve.engine.connector.lake;

import dev.varve.engine.scan.IcebergTableSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * The tables that statements looked up last, as they were then: a table whose metadata file is
 * still the same is the same view of the same snapshot, so that the facts of its files are loaded
 * once and not by each statement. Which metadata file is the table's is asked each time. Safe for
 * concurrent use.
 */
final class PinnedSources {
  private static final int MOST_TABLES = 256;

  /** Files whose facts are held, over all tables; the one asked for stays in any case. */
  private static final long MOST_FILES = 100_000;

  private record Pinned(String metadataLocation, IcebergTableSource source) {}

  private final Map<List<String>, Pinned> tables =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<List<String>, Pinned> eldest) {
          return size() > MOST_TABLES;
        }
      };

  /** The view that is held for this state of the table, or a new one. */
  IcebergTableSource get(
      String schema, String name, Table table, Supplier<IcebergTableSource> create) {
    List<String> key = List.of(schema, name);
    String location = metadataLocation(table);
    if (location == null) {
      return create.get();
    }
    Pinned known;
    synchronized (tables) {
      known = tables.get(key);
      dropBeyond(key);
    }
    // Outside the lock, because the index is asked. A view of what it did not know, or knows better
    // by now, is not kept.
    if (known != null && known.metadataLocation.equals(location) && known.source.isUpToDate()) {
      return known.source;
    }
    IcebergTableSource created = create.get();
    synchronized (tables) {
      tables.put(key, new Pinned(location, created));
      dropBeyond(key);
    }
    return created;
  }

  /** Views load their facts when they are read, so what is held is counted at each lookup. */
  private void dropBeyond(List<String> inUse) {
    long held = 0;
    for (Pinned pinned : tables.values()) {
      held += pinned.source.heldFiles();
    }
    var eldestFirst = tables.entrySet().iterator();
    while (held > MOST_FILES && eldestFirst.hasNext()) {
      Map.Entry<List<String>, Pinned> eldest = eldestFirst.next();
      if (!eldest.getKey().equals(inUse)) {
        held -= eldest.getValue().source.heldFiles();
        eldestFirst.remove();
      }
    }
  }

  private static @Nullable String metadataLocation(Table table) {
    return table instanceof HasTableOperations operations
        ? operations.operations().current().metadataFileLocation()
        : null;
  }
}
