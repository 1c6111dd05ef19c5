package dev.varve.service.check;

import dev.varve.engine.QueryEngine;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.port.Principal;
import dev.varve.layout.IndexState;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.error.VarveException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs {@code CALL system.verify_order} for tables with files whose order is only claimed, one at a
 * time and no faster than a rate. It is a statement like others, so it is seen among the queries,
 * can be cancelled there, and waits for a core behind whoever has used less of them. Safe for
 * concurrent use.
 */
public final class OrderChecks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OrderChecks.class);

  private final QueryEngine engine;
  private final Principal principal;
  private final String lake;
  private final Catalog catalog;
  private final SupportsNamespaces namespaces;
  private final LayoutIndex index;
  private final long bytesPerSecond;
  private final Duration every;

  /** What was checked as far as it can be, until something of it changes. */
  private final Map<String, Checked> checked = new HashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean closed;
  private @Nullable QueryHandle running;
  private @Nullable Thread thread;

  private record Checked(long snapshotId, long factsVersion) {}

  /**
   * @param principal whoever may maintain every table
   * @param lake the catalog's name in statements
   * @param bytesPerSecond how much is read at most
   * @param every how long to wait between looks at all tables
   */
  public <C extends Catalog & SupportsNamespaces> OrderChecks(
      QueryEngine engine,
      Principal principal,
      String lake,
      C catalog,
      LayoutIndex index,
      long bytesPerSecond,
      Duration every) {
    this.engine = engine;
    this.principal = principal;
    this.lake = lake;
    this.catalog = catalog;
    this.namespaces = catalog;
    this.index = index;
    this.bytesPerSecond = bytesPerSecond;
    this.every = every;
  }

  /** Begins to check in a thread of its own. */
  public void start() {
    lock.lock();
    try {
      if (thread != null || closed) {
        throw new IllegalStateException("the order checks were started already");
      }
      thread = Thread.ofPlatform().daemon().name("varve-order-checks").start(this::loop);
    } finally {
      lock.unlock();
    }
  }

  private void loop() {
    while (true) {
      try {
        turn();
      } catch (RuntimeException e) {
        LOG.warn("looking for orders to check failed", e);
      }
      lock.lock();
      try {
        if (closed) {
          return;
        }
        changed.await(every.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        return;
      } finally {
        lock.unlock();
      }
    }
  }

  /** Checks every table that has something to be checked; answers how many there were. */
  public int turn() {
    int tables = 0;
    for (Namespace namespace : namespaces.listNamespaces()) {
      for (TableIdentifier name : tables(namespace)) {
        if (isClosed()) {
          return tables;
        }
        tables += check(name) ? 1 : 0;
      }
    }
    return tables;
  }

  private List<TableIdentifier> tables(Namespace namespace) {
    try {
      return catalog.listTables(namespace);
    } catch (NoSuchNamespaceException e) {
      return List.of();
    }
  }

  private boolean check(TableIdentifier name) {
    Table table;
    try {
      table = catalog.loadTable(name);
    } catch (NoSuchTableException e) {
      return false;
    }
    String uuid = table.uuid().toString();
    Snapshot snapshot = table.currentSnapshot();
    long claimed = index.state(uuid, List.of()).map(IndexState::claimedFiles).orElse(0L);
    if (snapshot == null || claimed == 0) {
      checked.remove(uuid);
      return false;
    }
    Checked now = new Checked(snapshot.snapshotId(), index.factsVersion(uuid));
    if (now.equals(checked.get(uuid))) {
      return false;
    }
    verify(name);
    checked.put(uuid, new Checked(snapshot.snapshotId(), index.factsVersion(uuid)));
    return true;
  }

  private void verify(TableIdentifier name) {
    List<String> parts = new ArrayList<>(List.of(lake));
    parts.addAll(List.of(name.namespace().levels()));
    parts.add(name.name());
    String quoted =
        String.join(
            ".", parts.stream().map(part -> '"' + part.replace("\"", "\"\"") + '"').toList());
    Session session = engine.openSession(principal);
    try (QueryHandle query =
        session.submit(
            "CALL system.verify_order('"
                + quoted.replace("'", "''")
                + "', bytes_per_second => "
                + bytesPerSecond
                + ")")) {
      if (!holds(Optional.of(query))) {
        return;
      }
      while (query.nextBatch() != null) {
        // What was found is in the index; the lines are for people who call it.
      }
    } catch (VarveException e) {
      LOG.warn("the orders of table {} are not checked: {}", name, e.describe());
    } finally {
      holds(Optional.empty());
    }
  }

  /** Remembers what runs, so that closing can end it; false when closed already. */
  private boolean holds(Optional<QueryHandle> query) {
    lock.lock();
    try {
      running = query.orElse(null);
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Ends what runs and waits for it. */
  @Override
  public void close() {
    Thread started;
    lock.lock();
    try {
      closed = true;
      started = thread;
      if (running != null) {
        running.cancel();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (started != null) {
      try {
        started.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
