package dev.varve.catalog.index;

import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import dev.varve.catalog.store.TransactionFailure;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Packs facts of files into pages by column, from which a node learns one column of very many files
 * in a fraction of the time. Each page is a transaction of its own. Two at a time on one table only
 * waste work. Safe for concurrent use.
 */
public final class StatPacker {
  /** Files without a page that a table may have. */
  private static final int MOST_UNPACKED = 10_000;

  /** Share of a generation's files that must still be there. */
  private static final double LEAST_PRESENT = 0.7;

  private final Database database;
  private final int mostUnpacked;
  private final int pageFiles;

  public StatPacker(Database database) {
    this(database, MOST_UNPACKED, StatPage.MAX_FILES);
  }

  /**
   * @param mostUnpacked how many files may be without a page
   * @param pageFiles how many files a page is of
   */
  StatPacker(Database database, int mostUnpacked, int pageFiles) {
    this.database = database;
    this.mostUnpacked = mostUnpacked;
    this.pageFiles = pageFiles;
  }

  /** What pages a table has; {@code last} is the last file that is in one. */
  private record Packed(int generation, int pages, long files, long last) {}

  /** The next files in line, with all that is known of their columns. */
  private record Page(long[] fileIds, Map<Integer, StatPage> columns, long factsVersion) {}

  private record Row(long fileId, long records, @Nullable PackedColumns columns) {}

  /**
   * Brings the pages of all tables up to date.
   *
   * @return whether there was something to do
   */
  public boolean packAll() {
    boolean any = false;
    for (long tableId :
        database.read(
            sql ->
                sql.list("select table_id from lh_table order by table_id", r -> r.getLong(1)))) {
      any |= pack(tableId, () -> true);
    }
    return any;
  }

  /**
   * Brings the pages of a table up to date, if there is enough to do.
   *
   * @param goesOn asked before each page; the pages that are there by then stay
   * @return whether there was
   */
  public boolean pack(long tableId, BooleanSupplier goesOn) {
    try {
      Packed packed = database.read(sql -> packed(sql, tableId));
      if (database.read(sql -> isWorn(sql, tableId, packed))) {
        repack(tableId, packed.generation(), goesOn);
        return true;
      }
      if (!database.read(sql -> isLong(sql, tableId, packed.last()))) {
        return false;
      }
      append(tableId, packed, goesOn);
      return true;
    } catch (TransactionFailure e) {
      if (e.kind() == TransactionFailure.Kind.DUPLICATE) {
        // Another process packs the same.
        return false;
      }
      throw e;
    }
  }

  private static Packed packed(Sql sql, long tableId) throws SQLException {
    Optional<PageQueries.LastPage> last = PageQueries.lastPage(sql, tableId);
    if (last.isEmpty()) {
      return new Packed(0, 0, 0, -1);
    }
    int generation = last.get().generation();
    return new Packed(
        generation,
        last.get().page() + 1,
        PageQueries.fileCount(sql, tableId, generation),
        last.get().lastFile());
  }

  /** Whether too many files of the pages are gone. */
  private static boolean isWorn(Sql sql, long tableId, Packed packed) throws SQLException {
    double least = LEAST_PRESENT * packed.files();
    // To count is only worth it where no snapshot has as many files as there should be.
    long most =
        sql.first(
                "select coalesce(max(files), 0) from lh_snapshot where table_id = ?",
                row -> row.getLong(1),
                tableId)
            .orElse(0L);
    return most < least
        && sql.first(
                    "select count(*) from lh_file where table_id = ? and file_id <= ?",
                    row -> row.getLong(1),
                    tableId,
                    packed.last())
                .orElse(0L)
            < least;
  }

  /** Whether more files than may be are behind the last page. */
  private boolean isLong(Sql sql, long tableId, long last) throws SQLException {
    return sql.first(
            "select file_id from lh_file where table_id = ? and file_id > ?"
                + " order by table_id, file_id offset "
                + mostUnpacked
                + " rows fetch first 1 rows only",
            row -> row.getLong(1),
            tableId,
            last)
        .isPresent();
  }

  /** Full pages behind those that are there. */
  private void append(long tableId, Packed packed, BooleanSupplier goesOn) {
    long last = packed.last();
    int number = packed.pages();
    while (goesOn.getAsBoolean()) {
      long above = last;
      int next = number;
      Page page = database.read(sql -> page(sql, tableId, above));
      if (page.fileIds().length < pageFiles) {
        return;
      }
      database.write(
          sql -> {
            PageQueries.insert(sql, tableId, packed.generation(), next, page.columns());
            PageQueries.publish(
                sql, tableId, packed.generation(), next, page.fileIds(), page.factsVersion());
            return null;
          });
      last = page.fileIds()[page.fileIds().length - 1];
      number++;
    }
  }

  /** A generation of the files that are still there, in place of the one before. */
  private void repack(long tableId, int before, BooleanSupplier goesOn) {
    int generation = before + 1;
    database.write(
        sql ->
            sql.update(
                "delete from lh_stat_page where table_id = ? and generation > ?", tableId, before));
    List<Page> made = new ArrayList<>();
    for (long last = -1; ; ) {
      if (!goesOn.getAsBoolean()) {
        // Pages that no list names are nobody's: the next one to pack deletes them.
        return;
      }
      long above = last;
      Page page = database.read(sql -> page(sql, tableId, above));
      if (page.fileIds().length < pageFiles) {
        break;
      }
      int number = made.size();
      database.write(
          sql -> {
            PageQueries.insert(sql, tableId, generation, number, page.columns());
            return null;
          });
      made.add(new Page(page.fileIds(), Map.of(), page.factsVersion()));
      last = page.fileIds()[page.fileIds().length - 1];
    }
    database.write(
        sql -> {
          for (int i = 0; i < made.size(); i++) {
            Page page = made.get(i);
            PageQueries.publish(sql, tableId, generation, i, page.fileIds(), page.factsVersion());
          }
          sql.update(
              "delete from lh_page_files where table_id = ? and generation <= ?", tableId, before);
          sql.update(
              "delete from lh_stat_page where table_id = ? and generation <= ?", tableId, before);
          return null;
        });
  }

  private Page page(Sql sql, long tableId, long above) throws SQLException {
    // Read first: facts that change from here on are newer than the page.
    long version = FactsVersion.current(sql, tableId);
    List<Row> rows =
        sql.list(
            "select file_id, record_count, enc_version, stats from lh_file"
                + " where table_id = ? and file_id > ? order by table_id, file_id"
                + " fetch first "
                + pageFiles
                + " rows only",
            row -> {
              byte[] stats = FactsCodec.reads(row.getInt(3)) ? row.getBytes(4) : null;
              return new Row(
                  row.getLong(1),
                  row.getLong(2),
                  stats == null ? null : new PackedColumns(stats, 0));
            },
            tableId,
            above);
    TreeSet<Integer> fields = new TreeSet<>();
    for (Row row : rows) {
      if (row.columns() != null) {
        fields.addAll(row.columns().keySet());
      }
    }
    Map<Integer, StatPage> columns = new TreeMap<>();
    for (int field : fields) {
      List<StatPage.Entry> entries = new ArrayList<>(rows.size());
      for (Row row : rows) {
        entries.add(
            new StatPage.Entry(
                row.columns() == null ? null : row.columns().get(field), row.records()));
      }
      columns.put(field, StatPage.of(entries));
    }
    return new Page(rows.stream().mapToLong(Row::fileId).toArray(), columns, version);
  }
}
