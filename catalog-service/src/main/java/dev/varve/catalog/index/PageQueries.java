package dev.varve.catalog.index;

import dev.varve.catalog.store.Sql;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stored pages of statistics: derived from the facts of files, so that they may be missing or
 * thrown away at any time. A generation lists files in ascending order of their ids from the first
 * on; what is beyond its last file is only with the files themselves.
 */
final class PageQueries {
  /** How {@link StatPage#encode} writes them. */
  static final int VERSION = 1;

  private PageQueries() {}

  /**
   * The pages of one column in a generation, by their numbers.
   *
   * @param generationPages how many pages the generation has by now
   * @param factsVersion the oldest of the versions of the table's facts that they were made from
   */
  record Stored(Map<Integer, StatPage> pages, int generationPages, long factsVersion) {}

  /** The last page of a table's newest generation, and its last file. */
  record LastPage(int generation, int page, long lastFile) {}

  /** Empty when a table has no pages. */
  static Optional<LastPage> lastPage(Sql sql, long tableId) throws SQLException {
    return sql.first(
        "select generation, page, n, file_ids from lh_page_files where table_id = ?"
            + " order by table_id desc, generation desc, page desc fetch first 1 rows only",
        row -> {
          long[] ids = ids(row.getBytes(4), row.getInt(3));
          return new LastPage(row.getInt(1), row.getInt(2), ids[ids.length - 1]);
        },
        tableId);
  }

  static long fileCount(Sql sql, long tableId, int generation) throws SQLException {
    return sql.first(
            "select coalesce(sum(n), 0) from lh_page_files where table_id = ? and generation = ?",
            row -> row.getLong(1),
            tableId,
            generation)
        .orElse(0L);
  }

  /** The files that pages are stored of. */
  static FileList files(Sql sql, long tableId) throws SQLException {
    Optional<Integer> generation = lastPage(sql, tableId).map(LastPage::generation);
    if (generation.isEmpty()) {
      return FileList.EMPTY;
    }
    List<long[]> pages =
        sql.list(
            "select file_ids, n from lh_page_files where table_id = ? and generation = ?"
                + " order by table_id, generation, page",
            row -> ids(row.getBytes(1), row.getInt(2)),
            tableId,
            generation.get());
    return new FileList(pages.toArray(new long[0][]), pages.size(), generation.get());
  }

  static Stored column(Sql sql, long tableId, int generation, int field) throws SQLException {
    List<Long> versions =
        sql.list(
            "select facts_version from lh_page_files where table_id = ? and generation = ?",
            row -> row.getLong(1),
            tableId,
            generation);
    Map<Integer, StatPage> pages = new HashMap<>();
    sql.list(
        "select page, n, data from lh_stat_page"
            + " where table_id = ? and column_id = ? and generation = ? and enc_version = ?",
        row -> {
          int page = row.getInt(1);
          pages.put(page, StatPage.decode(row.getBytes(3), row.getInt(2)));
          return page;
        },
        tableId,
        field,
        generation,
        VERSION);
    return new Stored(
        pages, versions.size(), versions.stream().mapToLong(Long::longValue).min().orElse(0));
  }

  /** Stores what columns are in the files of one page. */
  static void insert(
      Sql sql, long tableId, int generation, int page, Map<Integer, StatPage> columns)
      throws SQLException {
    List<@Nullable Object[]> rows = new ArrayList<>(columns.size());
    columns.forEach(
        (field, content) ->
            rows.add(
                new @Nullable Object[] {
                  tableId, field, generation, page, content.files(), VERSION, content.encode()
                }));
    sql.batch(
        "insert into lh_stat_page(table_id, column_id, generation, page, n, enc_version, data)"
            + " values (?,?,?,?,?,?,?)",
        rows);
  }

  /** Stores which files a page is of: with that it is there for readers. */
  static void publish(
      Sql sql, long tableId, int generation, int page, long[] fileIds, long factsVersion)
      throws SQLException {
    ByteBuffer ids = ByteBuffer.allocate(Long.BYTES * fileIds.length);
    ids.asLongBuffer().put(fileIds);
    sql.update(
        "insert into lh_page_files(table_id, generation, page, n, facts_version, file_ids)"
            + " values (?,?,?,?,?,?)",
        tableId,
        generation,
        page,
        fileIds.length,
        factsVersion,
        ids.array());
  }

  private static long[] ids(byte[] data, int count) {
    long[] ids = new long[count];
    ByteBuffer.wrap(data).asLongBuffer().get(ids);
    return ids;
  }
}
