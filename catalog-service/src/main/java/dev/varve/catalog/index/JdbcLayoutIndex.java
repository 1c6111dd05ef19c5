package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexQueries.Known;
import dev.varve.catalog.index.IndexQueries.Point;
import dev.varve.catalog.index.IndexQueries.StoredFacts;
import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.FileCheck;
import dev.varve.layout.FileFacts;
import dev.varve.layout.IndexState;
import dev.varve.layout.KeyRange;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.TableSummary;
import dev.varve.layout.key.EncodedKey;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers planners from the database. The answer is complete for every indexed snapshot, whatever
 * delete files it has: those are the planner's to join, and bounds of data files stay bounds under
 * deletes. When the database cannot be asked, nothing is indexed. Safe for concurrent use.
 */
public final class JdbcLayoutIndex implements LayoutIndex {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcLayoutIndex.class);
  private static final int LOOKUP_FILES = 1_000;

  /** Files from which a whole table is estimated; up to so many are few. */
  private static final int SAMPLE_FILES = 1_000;

  /** Facts of more files at once are not kept: they would drive out all others. */
  private static final int MOST_KEPT = 10_000;

  /** No version that was ever current. */
  private static final long UNKNOWN_VERSION = -1;

  private final Database database;
  private final Clock clock;
  private final StagedFacts staged;
  private final FactsCache cache;
  private final LayoutCache layouts;
  private final int sampleFiles;
  private final LiveFiles live = new LiveFiles();

  /**
   * @param cacheBytes how much memory what is kept of files may take: one half for facts of single
   *     files, one for lives and columns of large tables
   */
  public JdbcLayoutIndex(Database database, Clock clock, long cacheBytes) {
    this(database, clock, cacheBytes, SAMPLE_FILES);
  }

  /** {@code sampleFiles}: a table of more files is chosen from in memory. */
  JdbcLayoutIndex(Database database, Clock clock, long cacheBytes, int sampleFiles) {
    this.database = database;
    this.clock = clock;
    this.staged = new StagedFacts(clock);
    this.cache = new FactsCache(cacheBytes / 2);
    this.layouts = new LayoutCache(cacheBytes / 2);
    this.sampleFiles = sampleFiles;
  }

  @Override
  public LayoutAnswer plan(LayoutQuery query) {
    try {
      return database.read(sql -> plan(sql, query));
    } catch (RuntimeException e) {
      LOG.warn("the layout index cannot be read", e);
      return new LayoutAnswer.NotIndexed(
          query.snapshotId(), "the layout index cannot be read: " + e.getMessage());
    }
  }

  @Override
  public Optional<TableSummary> summary(String tableUuid, long snapshotId) {
    try {
      return database.read(sql -> summary(sql, tableUuid, snapshotId));
    } catch (RuntimeException e) {
      LOG.warn("the layout index cannot be read", e);
      return Optional.empty();
    }
  }

  private Optional<TableSummary> summary(Sql sql, String tableUuid, long snapshotId)
      throws SQLException {
    Optional<Known> known = IndexQueries.table(sql, tableUuid);
    if (known.isEmpty()) {
      return Optional.empty();
    }
    Known table = seen(sql, known.get());
    Optional<Point> point = IndexQueries.point(sql, table.tableId(), snapshotId);
    if (point.isEmpty()) {
      return Optional.empty();
    }
    long[] sampled = evenly(files(sql, table, point.get(), List.of()));
    List<FileFacts> files = new ArrayList<>(sampled.length);
    boolean found = facts(sql, table, sampled, files);
    boolean there = IndexQueries.point(sql, table.tableId(), snapshotId).equals(point);
    return found && there
        ? Optional.of(
            new TableSummary(
                snapshotId, point.get().files(), point.get().records(), point.get().bytes(), files))
        : Optional.empty();
  }

  private long[] evenly(long[] ids) {
    if (ids.length <= sampleFiles) {
      return ids;
    }
    long[] some = new long[sampleFiles];
    for (int i = 0; i < sampleFiles; i++) {
      some[i] = ids[(int) ((long) i * (ids.length - 1) / Math.max(1, sampleFiles - 1))];
    }
    return some;
  }

  @Override
  public void stage(String tableUuid, List<FileFacts> files) {
    if (files.isEmpty()) {
      return;
    }
    database.write(
        sql -> {
          staged.put(sql, tableUuid, files);
          return null;
        });
  }

  @Override
  public int record(String tableUuid, List<FileCheck> checks) {
    int changed = 0;
    for (int from = 0; from < checks.size(); from += LOOKUP_FILES) {
      List<FileCheck> some = checks.subList(from, Math.min(checks.size(), from + LOOKUP_FILES));
      changed += database.write(sql -> CheckedFacts.record(sql, tableUuid, some));
    }
    return changed;
  }

  @Override
  public Optional<IndexState> state(String tableUuid, List<Long> snapshots) {
    return database.read(
        sql -> {
          Optional<Long> tableId =
              sql.first(
                  "select table_id from lh_table where table_uuid = ?",
                  row -> row.getLong(1),
                  tableUuid);
          return tableId.isEmpty()
              ? Optional.empty()
              : Optional.of(IndexStateQueries.state(sql, tableId.get(), snapshots, clock.millis()));
        });
  }

  @Override
  public long factsVersion(String tableUuid) {
    try {
      return database.read(sql -> FactsVersion.current(sql, tableUuid)).orElse(0L);
    } catch (RuntimeException e) {
      LOG.warn("the version of facts cannot be read", e);
      return UNKNOWN_VERSION;
    }
  }

  private LayoutAnswer plan(Sql sql, LayoutQuery query) throws SQLException {
    Optional<Known> known = IndexQueries.table(sql, query.tableUuid());
    if (known.isEmpty()) {
      return new LayoutAnswer.NotIndexed(query.snapshotId(), "the catalog has no such table");
    }
    Known table = seen(sql, known.get());
    long tableId = table.tableId();
    Optional<Point> point = IndexQueries.point(sql, tableId, query.snapshotId());
    if (point.isEmpty()) {
      return new LayoutAnswer.NotIndexed(
          query.snapshotId(), "the snapshot is not of the indexed history of the main branch");
    }
    List<FileFacts> files = new ArrayList<>();
    boolean found = facts(sql, table, files(sql, table, point.get(), query.ranges()), files);
    // Clean-up deletes the snapshot's row before its files: if the row is still there, so were
    // they.
    if (!IndexQueries.point(sql, tableId, query.snapshotId()).equals(point)) {
      return new LayoutAnswer.NotIndexed(query.snapshotId(), "the snapshot has expired");
    }
    if (!found) {
      throw new IllegalStateException(
          "a live file of snapshot " + query.snapshotId() + " has no row");
    }
    files.removeIf(file -> !FactsPruner.mayMatch(file, query.ranges()));
    query.wantedOrdering().ifPresent(wanted -> files.sort(byKey(wanted)));
    return new LayoutAnswer.Complete(
        query.snapshotId(), files, point.get().files(), point.get().records(), point.get().bytes());
  }

  /** Facts that changed before this version of the table's are no longer kept. */
  private Known seen(Sql sql, Known table) throws SQLException {
    long tableId = table.tableId();
    long before = cache.version(tableId);
    if (before < table.factsVersion()) {
      cache.forget(tableId, table.factsVersion(), FactsVersion.changedAfter(sql, tableId, before));
    }
    return table;
  }

  /** The files that may hold rows within all ranges; some that hold none may be among them. */
  private long[] files(Sql sql, Known table, Point at, List<ColumnRange> ranges)
      throws SQLException {
    if (at.files() <= sampleFiles || !layouts.fits(at.files())) {
      Optional<long[]> byKey = live.byKey(sql, table.tableId(), at, ranges);
      return byKey.isPresent() ? byKey.get() : live.all(sql, table.tableId(), at);
    }
    boolean worth = true;
    for (ColumnRange range : ranges) {
      worth &= layouts.isWorth(table.tableId(), range.fieldId());
    }
    Optional<long[]> byKey =
        worth ? Optional.empty() : live.byKey(sql, table.tableId(), at, ranges);
    return byKey.isPresent()
        ? byKey.get()
        : layouts.select(sql, table.tableId(), at, table.factsVersion(), ranges);
  }

  /** Adds the facts of files in the order of their ids; false when one has no row. */
  private boolean facts(Sql sql, Known table, long[] fileIds, List<FileFacts> into)
      throws SQLException {
    @Nullable FileFacts[] found = new @Nullable FileFacts[fileIds.length];
    int missing = 0;
    int[] missingAt = new int[fileIds.length];
    for (int i = 0; i < fileIds.length; i++) {
      found[i] = cache.get(table.tableId(), fileIds[i]);
      if (found[i] == null) {
        missingAt[missing++] = i;
      }
    }
    for (int from = 0; from < missing; from += LOOKUP_FILES) {
      int count = Math.min(LOOKUP_FILES, missing - from);
      long[] wanted = new long[count];
      for (int i = 0; i < count; i++) {
        wanted[i] = fileIds[missingAt[from + i]];
      }
      for (StoredFacts stored : IndexQueries.facts(sql, table.tableId(), wanted)) {
        if (fileIds.length <= MOST_KEPT) {
          cache.put(table, stored);
        }
        int at = Arrays.binarySearch(fileIds, stored.fileId());
        found[at] = stored.facts();
      }
    }
    for (FileFacts file : found) {
      if (file == null) {
        return false;
      }
      into.add(file);
    }
    return true;
  }

  /** Bytes of the heap that lives and columns of large tables take. */
  long cachedBytes() {
    return layouts.bytes();
  }

  /** Files with a key range in the wanted order come first, by their least key. */
  private static Comparator<FileFacts> byKey(TableOrdering wanted) {
    return Comparator.comparing(
        file ->
            file.ordering(wanted).flatMap(fact -> fact.range()).map(KeyRange::lower).orElse(null),
        Comparator.nullsLast(Comparator.<EncodedKey>naturalOrder()));
  }
}
