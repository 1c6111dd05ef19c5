package dev.varve.catalog.table;

import dev.varve.layout.error.VarveException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.iceberg.TableMetadata;

/**
 * Finds out what became of a commit whose answer was lost. Its transaction holds the lock of the
 * table's row until it ends, so who gets that lock sees its end: the pointer stands on the commit's
 * metadata file, or has stood there, or never will. Safe for concurrent use.
 */
final class LostCommit {
  /** The database may need so long to be back, and to notice that a connection is gone. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final long FIRST_WAIT_MILLIS = 50;
  private static final long LONGEST_WAIT_MILLIS = 1_000;

  private final TableStore store;
  private final Function<String, TableMetadata> metadata;

  /**
   * @param metadata reads a metadata file
   */
  LostCommit(TableStore store, Function<String, TableMetadata> metadata) {
    this.store = store;
    this.metadata = metadata;
  }

  /**
   * The outcome of swaps that were made together, all or none.
   *
   * @param lost what is known so far
   * @param patient whether to wait for a database that cannot be asked
   */
  CommitOutcome settle(List<PointerSwap> swaps, CommitOutcome.Unknown lost, boolean patient) {
    long deadline = System.nanoTime() + (patient ? PATIENCE.toNanos() : 0);
    long wait = FIRST_WAIT_MILLIS;
    while (true) {
      try {
        for (PointerSwap swap : swaps) {
          CommitOutcome outcome = settle(swap, lost);
          if (!(outcome instanceof CommitOutcome.Unknown)) {
            return outcome;
          }
        }
        return lost;
      } catch (VarveException e) {
        if (System.nanoTime() >= deadline) {
          lost.cause().addSuppressed(e);
          return lost;
        }
      }
      try {
        // The database says nothing when it is back: it is asked again, less and less often.
        Thread.sleep(wait);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return lost;
      }
      wait = Math.min(LONGEST_WAIT_MILLIS, wait * 2);
    }
  }

  private CommitOutcome settle(PointerSwap swap, CommitOutcome.Unknown lost) {
    Optional<String> now = store.locked(swap);
    if (now.equals(Optional.of(swap.to()))) {
      return new CommitOutcome.Committed();
    }
    if (now.isEmpty()) {
      // One that was to be created was not; another was dropped, before or after the commit.
      return swap.from().isEmpty() ? notDone(swap) : lost;
    }
    if (now.equals(swap.from())) {
      return notDone(swap);
    }
    TableMetadata current = metadata.apply(now.get());
    List<String> before =
        current.previousFiles().stream().map(TableMetadata.MetadataLogEntry::file).toList();
    if (before.contains(swap.to())) {
      return new CommitOutcome.Committed();
    }
    // The log is cut at its old end: what followed a file that it still has is in it too.
    return Stream.concat(before.stream(), now.stream()).anyMatch(swap.from().orElse("")::equals)
        ? notDone(swap)
        : lost;
  }

  private static CommitOutcome notDone(PointerSwap swap) {
    return new CommitOutcome.Conflict(
        "the connection to the catalog's database was lost before "
            + swap.table()
            + " was changed");
  }
}
