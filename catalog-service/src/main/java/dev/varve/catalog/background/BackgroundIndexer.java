package dev.varve.catalog.background;

import dev.varve.catalog.background.TableWork.Held;
import dev.varve.catalog.index.CommitIndexer;
import dev.varve.catalog.index.FooterFiles;
import dev.varve.catalog.index.IndexingSwitch;
import dev.varve.catalog.index.SnapshotFacts;
import dev.varve.catalog.index.StatPacker;
import dev.varve.catalog.store.Database;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NotFoundException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Indexes what commits left out, reads footers of files that other engines wrote, and packs columns
 * of tables of very many files. It finds what there is to do by itself in the database, also what
 * an earlier process left; nodes share the tables by leases. Queries need none of it: what is not
 * indexed is planned from manifests. Safe for concurrent use.
 */
public final class BackgroundIndexer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundIndexer.class);

  private final TableWork work;
  private final SnapshotJob snapshots;
  private final Optional<FooterJob> footers;
  private final StatPacker packer;
  private final Function<String, Table> tableAt;
  private final IndexingSwitch indexing;
  private final Duration pollEvery;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean closed;
  private boolean turning;
  private @Nullable Thread thread;

  private BackgroundIndexer(
      TableWork work,
      SnapshotJob snapshots,
      Optional<FooterJob> footers,
      StatPacker packer,
      Function<String, Table> tableAt,
      IndexingSwitch indexing,
      Duration pollEvery) {
    this.work = work;
    this.snapshots = snapshots;
    this.footers = footers;
    this.packer = packer;
    this.tableAt = tableAt;
    this.indexing = indexing;
    this.pollEvery = pollEvery;
  }

  /**
   * @param tableAt a table as one of its metadata files has it
   * @param footers none where there is nobody to read them
   */
  public static BackgroundIndexer create(
      Database database,
      Clock clock,
      IndexingSwitch indexing,
      Function<String, Table> tableAt,
      Optional<FooterReader> footers,
      Duration pollEvery) {
    return new BackgroundIndexer(
        new TableWork(database, clock),
        new SnapshotJob(
            new CommitIndexer(database, indexing), new SnapshotFacts(database), tableAt),
        footers.map(reader -> new FooterJob(new FooterFiles(database), reader, clock)),
        new StatPacker(database),
        tableAt,
        indexing,
        pollEvery);
  }

  /** Begins to look for work in a thread of its own. */
  public void start() {
    lock.lock();
    try {
      if (thread != null || closed) {
        throw new IllegalStateException("the background indexer was started already");
      }
      thread = Thread.ofPlatform().daemon().name("varve-index").start(this::loop);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stops the work; when this returns, nothing is being done. Commits do not index their snapshots
   * either.
   */
  public void pause() {
    lock.lock();
    try {
      indexing.turn(false);
      while (turning) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  public void resume() {
    lock.lock();
    try {
      indexing.turn(true);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void loop() {
    while (true) {
      boolean worked = turn();
      lock.lock();
      try {
        if (closed) {
          return;
        }
        if (!indexing.isOn() || !worked) {
          changed.await(pollEvery.toMillis(), TimeUnit.MILLISECONDS);
        }
      } catch (InterruptedException e) {
        return;
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Gives every table that wants it one turn.
   *
   * @return whether anything was done
   */
  public boolean turn() {
    lock.lock();
    try {
      if (!indexing.isOn() || closed || turning) {
        return false;
      }
      turning = true;
    } finally {
      lock.unlock();
    }
    try {
      boolean worked = false;
      for (long tableId : work.due()) {
        if (!goesOn()) {
          break;
        }
        Optional<Held> held = work.take(tableId);
        worked |= held.isPresent() && advance(held.get());
      }
      return worked;
    } catch (RuntimeException e) {
      // The database is away: the next turn finds what there is to do.
      LOG.warn("looking for tables to index failed", e);
      return false;
    } finally {
      lock.lock();
      try {
        turning = false;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private boolean goesOn() {
    lock.lock();
    try {
      return indexing.isOn() && !closed;
    } finally {
      lock.unlock();
    }
  }

  /** False when it failed: then the table waits. */
  private boolean advance(Held held) {
    try {
      Table table = tableAt.apply(held.location());
      long footersAfter = 0;
      boolean indexed = held.indexed() || snapshots.run(held, table, () -> keeps(held));
      if (indexed && !held.indexed()) {
        work.indexed(held, held.location());
      }
      if (indexed && footers.isPresent()) {
        footersAfter = footers.get().run(held, table, () -> keeps(held));
      }
      if (indexed) {
        packer.pack(held.tableId(), () -> keeps(held));
      }
      work.giveBack(held, footers.isPresent() ? footersAfter : Long.MAX_VALUE);
      return true;
    } catch (NotFoundException e) {
      // Dropped with its files, or expired meanwhile: the next turn takes what is there then.
      return giveUp(held, e);
    } catch (RuntimeException e) {
      LOG.warn("the index of table {} cannot be brought up to date", held.name(), e);
      return giveUp(held, e);
    }
  }

  private boolean giveUp(Held held, RuntimeException e) {
    work.failed(held, e.getMessage() == null ? e.toString() : e.getMessage());
    return false;
  }

  private boolean keeps(Held held) {
    return goesOn() && work.renew(held);
  }

  /** Stops the work and waits for it; what is half done is begun anew by whoever comes next. */
  @Override
  public void close() {
    Thread running;
    lock.lock();
    try {
      closed = true;
      running = thread;
      changed.signalAll();
      while (turning) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
    if (running != null) {
      try {
        running.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
