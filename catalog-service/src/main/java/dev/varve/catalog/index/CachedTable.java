package dev.varve.catalog.index;

import dev.varve.catalog.index.CacheQueries.Fork;
import dev.varve.catalog.index.IndexQueries.Point;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.ColumnRange;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the node keeps of one table to choose files without asking the database for any of them: the
 * ids of its files, their lives in the lines that were asked about, and single columns that
 * predicates were about. All of it is loaded when it is first needed and brought up to date by what
 * commits changed since. A reader works on states that never change, so readers of older snapshots
 * are not disturbed. Safe for concurrent use.
 */
final class CachedTable {
  private final long tableId;

  /** Held by who loads; readers of what is there already wait for them. */
  private final ReentrantLock lock = new ReentrantLock();

  private volatile FileList files = FileList.EMPTY;
  private volatile long firstCount;
  private volatile boolean outdated;
  private long factsVersion = -1;

  // What is dropped from these by others meanwhile is loaded again by who needs it.
  private final Map<Long, LineLives> lines = new ConcurrentHashMap<>();
  private final Map<Integer, @Nullable StatPage[]> columns = new ConcurrentHashMap<>();

  CachedTable(long tableId) {
    this.tableId = tableId;
  }

  /** What one question needs, in states that no longer change. */
  record View(FileList files, LineLives lives, List<@Nullable StatPage[]> columns) {

    /** The ids of the files that are alive at a point and may hold rows within all ranges. */
    long[] select(long seq, List<ColumnRange> ranges) {
      long[] selected = new long[64];
      int count = 0;
      long[] kept = new long[(StatPage.MAX_FILES + Long.SIZE - 1) / Long.SIZE];
      for (int page = 0; page < files.pageCount(); page++) {
        Arrays.fill(kept, 0);
        lives.alive(page, seq, kept);
        for (int i = 0; i < columns.size(); i++) {
          StatPage column = columns.get(i)[page];
          if (column != null) {
            column.keep(ranges.get(i), kept);
          }
        }
        long[] ids = files.pages()[page];
        for (int word = 0; word < kept.length; word++) {
          for (long bits = kept[word]; bits != 0; bits &= bits - 1) {
            if (count == selected.length) {
              selected = Arrays.copyOf(selected, 2 * count);
            }
            selected[count++] = ids[word * Long.SIZE + Long.numberOfTrailingZeros(bits)];
          }
        }
      }
      return Arrays.copyOf(selected, count);
    }
  }

  /** The table as it must be known to answer about a point. */
  View view(Sql sql, Point at, long version, List<ColumnRange> ranges) throws SQLException {
    lock.lock();
    try {
      loadFiles(sql, at);
      LineLives lives = lives(sql, at.lineId(), at.seq());
      forgetChanged(sql, version);
      int[] fields = ranges.stream().mapToInt(ColumnRange::fieldId).distinct().toArray();
      Map<Integer, @Nullable StatPage[]> loaded = loadColumns(sql, fields);
      List<@Nullable StatPage[]> wanted = new ArrayList<>(ranges.size());
      for (ColumnRange range : ranges) {
        wanted.add(pages(loaded, range.fieldId()));
      }
      return new View(files, lives, wanted);
    } finally {
      lock.unlock();
    }
  }

  /** Whether a column is here. */
  boolean has(int field) {
    return columns.containsKey(field);
  }

  /**
   * Whether it had better be loaded anew: it has grown by files that live no more, or the stored
   * pages that it rests on are gone.
   */
  boolean isOutdated(long liveFiles) {
    return outdated
        || files.count() > 2 * Math.max(firstCount, liveFiles) + 10L * StatPage.MAX_FILES;
  }

  private void loadFiles(Sql sql, Point at) throws SQLException {
    LineLives known = lines.get(at.lineId());
    if (known != null && known.throughSeq() >= at.seq()) {
      return;
    }
    boolean first = files.pageCount() == 0;
    FileList list = first ? PageQueries.files(sql, tableId) : files;
    files = list.plus(CacheQueries.fileIds(sql, tableId, list.last()));
    if (first) {
      firstCount = files.count();
    }
  }

  private LineLives lives(Sql sql, long lineId, long seq) throws SQLException {
    LineLives known = lines.get(lineId);
    if (known != null && known.throughSeq() >= seq) {
      return known;
    }
    LineLives.Builder builder;
    if (known != null) {
      builder = new LineLives.Builder(files, known);
      CacheQueries.ended(sql, tableId, lineId, known.throughSeq(), seq)
          .forEach(life -> builder.put(life.fileId(), life.addedSeq(), life.removedSeq()));
    } else {
      builder = forked(sql, lineId);
    }
    CacheQueries.begun(sql, tableId, lineId, known == null ? -1 : known.throughSeq(), seq)
        .forEach(life -> builder.put(life.fileId(), life.addedSeq(), life.removedSeq()));
    LineLives lives = builder.build(seq);
    lines.put(lineId, lives);
    return lives;
  }

  /** A forked line begins with the files that lived where it forked. */
  private LineLives.Builder forked(Sql sql, long lineId) throws SQLException {
    Fork fork = CacheQueries.fork(sql, tableId, lineId);
    if (fork.parent().isEmpty()) {
      return new LineLives.Builder(files, lineId, -1);
    }
    LineLives parent = lives(sql, fork.parent().get(), fork.seq());
    LineLives.Builder builder = new LineLives.Builder(files, lineId, fork.seq());
    for (long fileId : new View(files, parent, List.of()).select(fork.seq(), List.of())) {
      builder.inherit(fileId);
    }
    return builder;
  }

  /** Facts that are of an older version than the answer is to be are read again. */
  private void forgetChanged(Sql sql, long version) throws SQLException {
    if (factsVersion >= 0 && version > factsVersion && !columns.isEmpty()) {
      Set<Integer> pages = pagesOf(FactsVersion.changedAfter(sql, tableId, factsVersion));
      for (Map.Entry<Integer, @Nullable StatPage[]> column : columns.entrySet()) {
        @Nullable StatPage[] fresh = column.getValue().clone();
        pages.stream().filter(page -> page < fresh.length).forEach(page -> fresh[page] = null);
        column.setValue(fresh);
      }
    }
    factsVersion = Math.max(factsVersion, version);
  }

  private Set<Integer> pagesOf(List<Long> fileIds) {
    Set<Integer> pages = new TreeSet<>();
    for (long fileId : fileIds) {
      int page = files.page(fileId);
      if (page >= 0) {
        pages.add(page);
      }
    }
    return pages;
  }

  /** Brings columns up to the list of files: from stored pages, or else from the files' facts. */
  private Map<Integer, @Nullable StatPage[]> loadColumns(Sql sql, int[] fields)
      throws SQLException {
    Map<Integer, @Nullable StatPage[]> loaded = new HashMap<>();
    for (int field : fields) {
      @Nullable StatPage[] known = columns.get(field);
      @Nullable StatPage[] pages =
          known == null
              ? new @Nullable StatPage[files.pageCount()]
              : Arrays.copyOf(known, files.pageCount());
      if (known == null && files.packed() > 0) {
        loadStored(sql, field, pages);
      }
      loaded.put(field, pages);
    }
    for (int page = 0; page < files.pageCount(); page++) {
      loadPage(sql, page, fields, loaded);
    }
    columns.putAll(loaded);
    return loaded;
  }

  private void loadStored(Sql sql, int field, @Nullable StatPage[] pages) throws SQLException {
    PageQueries.Stored stored = PageQueries.column(sql, tableId, files.generation(), field);
    if (stored.generationPages() < files.packed()) {
      outdated = true;
    }
    Set<Integer> changed = pagesOf(FactsVersion.changedAfter(sql, tableId, stored.factsVersion()));
    stored
        .pages()
        .forEach(
            (page, content) -> {
              boolean fits = page < files.packed() && content.files() == files.pages()[page].length;
              if (fits && !changed.contains(page)) {
                pages[page] = content;
              }
            });
  }

  private void loadPage(Sql sql, int page, int[] fields, Map<Integer, @Nullable StatPage[]> loaded)
      throws SQLException {
    long[] ids = files.pages()[page];
    List<Integer> missing = new ArrayList<>();
    int have = ids.length;
    for (int field : fields) {
      StatPage known = Objects.requireNonNull(loaded.get(field))[page];
      int count = known == null ? 0 : known.files();
      if (count < ids.length) {
        missing.add(field);
        have = Math.min(have, count);
      }
    }
    if (missing.isEmpty()) {
      return;
    }
    int[] wanted = missing.stream().mapToInt(Integer::intValue).toArray();
    StatPage[] read =
        CacheQueries.columns(sql, tableId, Arrays.copyOfRange(ids, have, ids.length), wanted);
    for (int i = 0; i < wanted.length; i++) {
      @Nullable StatPage[] pages = Objects.requireNonNull(loaded.get(wanted[i]));
      StatPage known = pages[page];
      // Where another column has less of the page, this one is read again from there.
      pages[page] =
          known == null || have == 0
              ? read[i]
              : known.files() == have ? known.plus(read[i]) : known.upTo(have).plus(read[i]);
    }
  }

  private static @Nullable StatPage[] pages(Map<Integer, @Nullable StatPage[]> loaded, int field) {
    return Objects.requireNonNull(loaded.get(field));
  }

  /** Bytes of the heap that the list of files takes. */
  long fileBytes() {
    FileList list = files;
    return 8 * list.count() + 100L * list.pageCount() + 500;
  }

  /** The same of each line. */
  Map<Long, Long> lineBytes() {
    Map<Long, Long> bytes = new HashMap<>();
    lines.forEach((line, lives) -> bytes.put(line, lives.bytes()));
    return bytes;
  }

  /** The same of a column. */
  long columnBytes(int field) {
    @Nullable StatPage[] pages = columns.get(field);
    long bytes = 0;
    for (int i = 0; pages != null && i < pages.length; i++) {
      StatPage page = pages[i];
      bytes += page == null ? 8 : StatPage.bytes(page.files());
    }
    return bytes;
  }

  void dropLine(long lineId) {
    lines.remove(lineId);
  }

  void dropColumn(int field) {
    columns.remove(field);
  }
}
