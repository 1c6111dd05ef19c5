package dev.varve.catalog.upkeep;

import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process, as others over the same database know it: it says again and again that it lives,
 * from the first time that somebody must know. What it pinned and writes is respected until it has
 * not said so for {@link #LEASE}. Clocks of processes may differ by much less than that. Safe for
 * concurrent use.
 */
public final class LiveProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveProcess.class);

  static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration RENEWAL = Duration.ofMinutes(1);

  private final Database database;
  private final Clock clock;
  private final String id = UUID.randomUUID().toString();
  private @Nullable Thread renewal;
  private boolean closed;

  public LiveProcess(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  String id() {
    return id;
  }

  /** From here on the database says that this process lives. */
  synchronized void announce() {
    if (renewal != null || closed) {
      return;
    }
    renew();
    renewal = Thread.ofVirtual().name("varve-lives").start(this::renewUntilClosed);
  }

  private void renewUntilClosed() {
    try {
      while (true) {
        // The row is renewed in time, on a thread of its own that close() interrupts.
        Thread.sleep(RENEWAL);
        try {
          renew();
        } catch (RuntimeException e) {
          LOG.warn("cannot tell the catalog database that this process lives", e);
        }
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void renew() {
    long until = clock.millis() + LEASE.toMillis();
    database.write(
        sql -> {
          if (sql.update("update lh_process set alive_until = ? where process_id = ?", until, id)
              == 0) {
            sql.update("insert into lh_process(process_id, alive_until) values (?,?)", id, until);
          }
          return true;
        });
  }

  /** Forgets processes that do not live, with their pins. */
  static void forgetDead(Sql sql, long now) throws SQLException {
    sql.update(
        "delete from lh_pin where process_id not in"
            + " (select process_id from lh_process where alive_until >= ?)",
        now);
    sql.update("delete from lh_process where alive_until < ?", now);
  }

  @Override
  public void close() {
    Thread thread;
    synchronized (this) {
      closed = true;
      thread = renewal;
      renewal = null;
    }
    if (thread == null) {
      return;
    }
    thread.interrupt();
    try {
      database.write(
          sql -> {
            sql.update("delete from lh_pin where process_id = ?", id);
            return sql.update("delete from lh_process where process_id = ?", id);
          });
    } catch (RuntimeException e) {
      LOG.debug("this process stays known until its lease ends", e);
    }
  }
}
