package dev.varve.catalog.table;

import dev.varve.catalog.store.Database;
import java.util.Optional;

/** The request keys of changes that are done. Safe for concurrent use. */
public final class RequestKeys {
  private final Database database;

  public RequestKeys(Database database) {
    this.database = database;
  }

  /** What the key was used for; empty when no change of that key is done. */
  public Optional<String> find(String key) {
    return database.read(
        sql ->
            sql.first(
                "select request from lh_request where request_key = ?",
                row -> row.getString(1),
                key));
  }

  /** Forgets keys of changes made before a time. */
  public void forgetBefore(long millis) {
    database.write(sql -> sql.update("delete from lh_request where done_at_millis < ?", millis));
  }
}
