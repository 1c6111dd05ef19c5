package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexQueries.Point;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.ColumnRange;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The node's cached tables, together up to a number of bytes: of what was used least lately, single
 * columns, lines and whole tables fall out. Who is reading keeps what he reads until he is done, so
 * that for the time of one question each reader may hold what it needs beyond. Safe for concurrent
 * use.
 */
final class LayoutCache {
  /** A file takes eight bytes for its id and sixteen for its life in a line. */
  private static final long FILE_BYTES = 24;

  private final long limitBytes;
  private final Map<Long, CachedTable> tables = new HashMap<>();

  /** What can fall out, the least lately used first. */
  private final LinkedHashMap<Part, Long> parts = new LinkedHashMap<>(16, 0.75f, true);

  /** Columns that were asked for once while they were not here. */
  private final LinkedHashMap<Part, Boolean> asked = new LinkedHashMap<>();

  private long bytes;

  LayoutCache(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  private enum Kind {
    FILES,
    LINE,
    COLUMN
  }

  private record Part(long tableId, Kind kind, long id) {}

  /** Whether a table of so many files can stay here with its life and a column. */
  boolean fits(long files) {
    return files * (FILE_BYTES + 17) <= limitBytes;
  }

  /**
   * Whether a column is here, or worth to be: it is asked for again. The database can answer some
   * first questions sooner than a column is loaded.
   */
  boolean isWorth(long tableId, int field) {
    CachedTable table;
    Part part = new Part(tableId, Kind.COLUMN, field);
    synchronized (this) {
      table = tables.get(tableId);
      if (asked.put(part, true) != null) {
        return true;
      }
      if (asked.size() > 10_000) {
        asked.pollFirstEntry();
      }
    }
    return table != null && table.has(field);
  }

  /** The files alive at a point that may hold rows within all ranges, ascending. */
  long[] select(Sql sql, long tableId, Point at, long factsVersion, List<ColumnRange> ranges)
      throws SQLException {
    CachedTable table = table(tableId, at.files());
    long[] selected;
    try {
      selected = table.view(sql, at, factsVersion, ranges).select(at.seq(), ranges);
    } catch (SQLException | RuntimeException e) {
      // What is half loaded is not relied on.
      forget(tableId, table);
      throw e;
    }
    account(tableId, table, ranges);
    return selected;
  }

  private synchronized CachedTable table(long tableId, long liveFiles) {
    CachedTable table = tables.get(tableId);
    if (table != null && table.isOutdated(liveFiles)) {
      forget(tableId, table);
      table = null;
    }
    if (table == null) {
      table = new CachedTable(tableId);
      tables.put(tableId, table);
    }
    return table;
  }

  private synchronized void forget(long tableId, CachedTable table) {
    if (tables.remove(tableId, table)) {
      parts
          .entrySet()
          .removeIf(
              entry -> {
                boolean of = entry.getKey().tableId() == tableId;
                bytes -= of ? entry.getValue() : 0;
                return of;
              });
    }
  }

  private void account(long tableId, CachedTable table, List<ColumnRange> ranges) {
    Map<Part, Long> used = new LinkedHashMap<>();
    for (ColumnRange range : ranges) {
      used.put(new Part(tableId, Kind.COLUMN, range.fieldId()), table.columnBytes(range.fieldId()));
    }
    table.lineBytes().forEach((line, size) -> used.put(new Part(tableId, Kind.LINE, line), size));
    used.put(new Part(tableId, Kind.FILES, 0), table.fileBytes());
    synchronized (this) {
      if (tables.get(tableId) != table) {
        return;
      }
      used.forEach(
          (part, size) -> {
            Long old = parts.put(part, size);
            bytes += size - (old == null ? 0 : old);
          });
      dropBeyond();
    }
  }

  private void dropBeyond() {
    Set<Part> eldest = new HashSet<>();
    for (var entries = parts.entrySet().iterator(); bytes > limitBytes && entries.hasNext(); ) {
      var entry = entries.next();
      bytes -= entry.getValue();
      eldest.add(entry.getKey());
      entries.remove();
    }
    for (Part part : eldest) {
      CachedTable table = tables.get(part.tableId());
      if (table != null) {
        switch (part.kind()) {
          case COLUMN -> table.dropColumn((int) part.id());
          case LINE -> table.dropLine(part.id());
          case FILES -> forget(part.tableId(), table);
        }
      }
    }
  }

  /** Bytes of the heap that it holds. */
  synchronized long bytes() {
    return bytes;
  }
}
