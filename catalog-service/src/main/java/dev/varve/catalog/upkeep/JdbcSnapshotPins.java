package dev.varve.catalog.upkeep;

import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.upkeep.SnapshotPins;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pins in memory; where other processes may use the database, in it too, one row for each snapshot
 * that is pinned at least once. Whoever pins writes first and then looks whether the snapshot is
 * being removed, and whoever removes writes that first and then looks for pins: at least one of two
 * at once sees the other. Rows of a snapshot that is not pinned any more stay for a while, so that
 * the next statement finds them. Safe for concurrent use.
 */
public final class JdbcSnapshotPins implements SnapshotPins {
  private static final Duration KEPT = Duration.ofMinutes(2);

  private final Database database;
  private final boolean shared;
  private final LiveProcess process;
  private final Clock clock;
  private final Map<Key, Held> held = new HashMap<>();
  private final Object writing = new Object();

  private record Key(String tableUuid, long snapshotId) {}

  /** How often a snapshot is pinned, and since when not any more. */
  private static final class Held {
    private int pins;
    private boolean written;

    /** Whether somebody who pinned it, and still does, saw that it is not being removed. */
    private boolean checked;

    private long freeSince;
  }

  /**
   * @param shared whether other processes may use the database
   */
  public JdbcSnapshotPins(Database database, boolean shared, LiveProcess process, Clock clock) {
    this.database = database;
    this.shared = shared;
    this.process = process;
    this.clock = clock;
  }

  @Override
  public Optional<Pin> pin(String tableUuid, long snapshotId) {
    Key key = new Key(tableUuid, snapshotId);
    boolean checked;
    synchronized (held) {
      Held now = held.computeIfAbsent(key, k -> new Held());
      now.pins++;
      checked = now.checked;
    }
    try {
      if (!checked) {
        if (shared) {
          write(key);
        }
        if (isRemoved(key)) {
          free(key);
          return Optional.empty();
        }
        synchronized (held) {
          state(key).checked = true;
        }
      }
    } catch (RuntimeException | Error e) {
      free(key);
      throw e;
    }
    return Optional.of(new OnePin(key));
  }

  private void write(Key key) {
    process.announce();
    // One after another, so that a row is not deleted as stale after it was written anew.
    synchronized (writing) {
      List<Key> stale = new ArrayList<>();
      long now = clock.millis();
      synchronized (held) {
        if (state(key).written) {
          return;
        }
        held.forEach(
            (other, state) -> {
              if (state.pins == 0 && state.freeSince + KEPT.toMillis() < now) {
                stale.add(other);
              }
            });
        stale.forEach(held::remove);
      }
      database.write(
          sql -> {
            for (Key other : stale) {
              delete(sql, other);
            }
            return sql.update(
                "insert into lh_pin(process_id, table_uuid, snapshot_id) values (?,?,?)",
                process.id(),
                key.tableUuid(),
                key.snapshotId());
          });
      synchronized (held) {
        state(key).written = true;
      }
    }
  }

  /** Of a snapshot that is pinned. */
  private Held state(Key key) {
    Held state = held.get(key);
    if (state == null) {
      throw new IllegalStateException("no pin of " + key);
    }
    return state;
  }

  private void delete(Sql sql, Key key) throws SQLException {
    sql.update(
        "delete from lh_pin where process_id = ? and table_uuid = ? and snapshot_id = ?",
        process.id(),
        key.tableUuid(),
        key.snapshotId());
  }

  private boolean isRemoved(Key key) {
    return database.read(
        sql ->
            sql.first(
                    "select snapshot_id from lh_removed_snapshot"
                        + " where table_uuid = ? and snapshot_id = ?",
                    row -> row.getLong(1),
                    key.tableUuid(),
                    key.snapshotId())
                .isPresent());
  }

  private void free(Key key) {
    synchronized (held) {
      Held now = held.get(key);
      if (now != null && --now.pins == 0) {
        now.checked = false;
        if (now.written) {
          now.freeSince = clock.millis();
        } else {
          held.remove(key);
        }
      }
    }
  }

  private final class OnePin implements Pin {
    private @Nullable Key key;

    OnePin(Key key) {
      this.key = key;
    }

    @Override
    public void close() {
      Key mine;
      synchronized (this) {
        mine = key;
        key = null;
      }
      if (mine != null) {
        free(mine);
      }
    }
  }

  /** The snapshots of a table that are pinned now, by this process or another that lives. */
  Set<Long> pinned(String tableUuid) {
    Set<Long> snapshots = new HashSet<>();
    synchronized (held) {
      held.forEach(
          (key, state) -> {
            if (state.pins > 0 && key.tableUuid().equals(tableUuid)) {
              snapshots.add(key.snapshotId());
            }
          });
    }
    long now = clock.millis();
    snapshots.addAll(
        database.read(
            sql ->
                sql.list(
                    "select p.snapshot_id from lh_pin p"
                        + " join lh_process l on l.process_id = p.process_id"
                        + " where p.table_uuid = ? and p.process_id <> ? and l.alive_until >= ?",
                    row -> row.getLong(1),
                    tableUuid,
                    process.id(),
                    now)));
    return snapshots;
  }
}
