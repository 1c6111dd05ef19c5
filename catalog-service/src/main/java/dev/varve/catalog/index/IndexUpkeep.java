package dev.varve.catalog.index;

import dev.varve.catalog.store.Database;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work that commits leave behind: lives that no snapshot needs, lines that lean on others, and
 * key ranges that are classed badly. It is done in the background, one table at a time in small
 * transactions, and what is not done only costs time: the next commit brings it up again. Safe for
 * concurrent use, also by several processes on one database.
 */
public final class IndexUpkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexUpkeep.class);

  /** A commit waits for one transaction at most: some ten milliseconds. */
  private static final int BATCH_ROWS = 500;

  private static final long LEAST_SPLIT_FILES = 1_000;

  private final IndexCleaner cleaner;
  private final LineFlattener flattener;
  private final KeySplitter splitter;

  /** The tables that are worked on; true when there came more to do meanwhile. */
  private final Map<Long, Boolean> running = new HashMap<>();

  private boolean closed;

  public IndexUpkeep(Database database) {
    this(database, BATCH_ROWS, LEAST_SPLIT_FILES);
  }

  /**
   * @param batchRows rows that one transaction changes
   * @param leastSplitFiles files from which on a table's key ranges are classed
   */
  IndexUpkeep(Database database, int batchRows, long leastSplitFiles) {
    this.cleaner = new IndexCleaner(database, batchRows);
    this.flattener = new LineFlattener(database, batchRows);
    this.splitter = new KeySplitter(database, batchRows, leastSplitFiles);
  }

  /** Does what there is to do for a table, now. */
  public void run(long tableId) {
    flattener.flatten(tableId);
    cleaner.clean(tableId);
    splitter.split(tableId);
  }

  /** Has it done in the background. */
  public synchronized void request(long tableId) {
    if (closed || running.merge(tableId, false, (was, _) -> true)) {
      return;
    }
    Thread.ofVirtual().name("varve-index-upkeep-" + tableId).start(() -> work(tableId));
  }

  private void work(long tableId) {
    boolean again = true;
    while (again) {
      try {
        run(tableId);
      } catch (RuntimeException e) {
        LOG.warn("the index of table {} is not tidied up", tableId, e);
      }
      synchronized (this) {
        again = Boolean.TRUE.equals(running.replace(tableId, false)) && !closed;
        if (!again) {
          running.remove(tableId);
          notifyAll();
        }
      }
    }
  }

  /** Waits for what is being done; nothing is begun any more. */
  @Override
  public synchronized void close() {
    closed = true;
    boolean interrupted = false;
    while (!running.isEmpty()) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
