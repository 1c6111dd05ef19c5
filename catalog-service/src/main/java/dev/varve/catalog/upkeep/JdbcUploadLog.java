package dev.varve.catalog.upkeep;

import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.upkeep.UploadLog;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Uploads in the database. Safe for concurrent use. */
public final class JdbcUploadLog implements UploadLog {
  private final Database database;
  private final LiveProcess process;
  private final Clock clock;

  /** Uploads of this process whose writer is still at work. */
  private final Set<String> active = ConcurrentHashMap.newKeySet();

  public JdbcUploadLog(Database database, LiveProcess process, Clock clock) {
    this.database = database;
    this.process = process;
    this.clock = clock;
  }

  /** A file that was to be written. */
  record Upload(
      long rowId, String uploadId, String location, String processId, boolean processLives) {}

  @Override
  public void begin(String tableUuid, String uploadId, List<String> locations) {
    process.announce();
    active.add(uploadId);
    long now = clock.millis();
    List<@Nullable Object[]> rows = new ArrayList<>(locations.size());
    for (String location : locations) {
      rows.add(new @Nullable Object[] {uploadId, tableUuid, location, process.id(), now});
    }
    database.write(
        sql ->
            sql.batch(
                "insert into lh_upload(upload_id, table_uuid, location, process_id, started_at)"
                    + " values (?,?,?,?,?)",
                rows));
  }

  @Override
  public void forget(String uploadId) {
    active.remove(uploadId);
    database.write(sql -> sql.update("delete from lh_upload where upload_id = ?", uploadId));
  }

  @Override
  public void leave(String uploadId) {
    active.remove(uploadId);
  }

  /** Forgets uploads within the transaction that commits them. */
  public static void settle(Sql sql, List<String> uploadIds) throws SQLException {
    for (String upload : uploadIds) {
      sql.update("delete from lh_upload where upload_id = ?", upload);
    }
  }

  /** The next uploads, by age, that were begun before a time. */
  List<Upload> before(long millis, long afterRow, int most) {
    long now = clock.millis();
    return database.read(
        sql ->
            sql.list(
                "select u.row_id, u.upload_id, u.location, u.process_id, p.alive_until"
                    + " from lh_upload u left join lh_process p on p.process_id = u.process_id"
                    + " where u.started_at < ? and u.row_id > ?"
                    + " order by u.row_id fetch first "
                    + most
                    + " rows only",
                row ->
                    new Upload(
                        row.getLong(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getLong(5) >= now),
                millis,
                afterRow));
  }

  /** Whether a writer may still be at work on it. */
  boolean isActive(Upload upload) {
    return upload.processId().equals(process.id())
        ? active.contains(upload.uploadId())
        : upload.processLives();
  }

  void forgetRows(List<Long> rowIds) {
    List<@Nullable Object[]> rows = new ArrayList<>(rowIds.size());
    for (Long id : rowIds) {
      rows.add(new @Nullable Object[] {id});
    }
    database.write(sql -> sql.batch("delete from lh_upload where row_id = ?", rows));
  }
}
