package dev.varve.catalog.index;

import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import dev.varve.catalog.store.TransactionFailure;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
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

  /** What pages a table has. */
  private record Packed(int generation, int pages, long files, long last, long present) {
    boolean isWorn() {
      return files > 0 && present < LEAST_PRESENT * files;
    }
  }

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
      any |= pack(tableId);
    }
    return any;
  }

  /**
   * Brings the pages of a table up to date, if there is enough to do.
   *
   * @return whether there was
   */
  public boolean pack(long tableId) {
    try {
      Packed packed = database.read(sql -> packed(sql, tableId));
      if (packed.isWorn()) {
        repack(tableId, packed.generation());
        return true;
      }
      long unpacked = database.read(sql -> filesAbove(sql, tableId, packed.last()));
      if (unpacked <= mostUnpacked) {
        return false;
      }
      append(tableId, packed);
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
    FileList files = PageQueries.files(sql, tableId);
    long present = files.packed() == 0 ? 0 : filesUpTo(sql, tableId, files.last());
    return new Packed(
        Math.max(0, files.generation()), files.packed(), files.count(), files.last(), present);
  }

  private static long filesUpTo(Sql sql, long tableId, long last) throws SQLException {
    return sql.first(
            "select count(*) from lh_file where table_id = ? and file_id <= ?",
            row -> row.getLong(1),
            tableId,
            last)
        .orElse(0L);
  }

  private static long filesAbove(Sql sql, long tableId, long last) throws SQLException {
    return sql.first(
            "select count(*) from lh_file where table_id = ? and file_id > ?",
            row -> row.getLong(1),
            tableId,
            last)
        .orElse(0L);
  }

  /** Full pages behind those that are there. */
  private void append(long tableId, Packed packed) {
    long last = packed.last();
    int number = packed.pages();
    while (true) {
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
  private void repack(long tableId, int before) {
    int generation = before + 1;
    database.write(
        sql ->
            sql.update(
                "delete from lh_stat_page where table_id = ? and generation > ?", tableId, before));
    List<Page> made = new ArrayList<>();
    for (long last = -1; ; ) {
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
