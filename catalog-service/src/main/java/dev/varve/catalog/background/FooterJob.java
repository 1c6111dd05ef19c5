package dev.varve.catalog.background;

import dev.varve.catalog.background.TableWork.Held;
import dev.varve.catalog.index.FooterFiles;
import dev.varve.catalog.index.FooterFiles.Waiting;
import dev.varve.layout.FileFacts;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads footers of a table's files a batch at a time: each batch is stored before the next is read,
 * so that little is lost with a node. Safe for concurrent use.
 */
final class FooterJob {
  private static final Logger LOG = LoggerFactory.getLogger(FooterJob.class);

  /** Footers read at once. They wait for storage more than they compute. */
  private static final int BATCH_FILES = 16;

  /** Batches before another table has its turn. */
  private static final int BATCHES_A_TURN = 64;

  private final FooterFiles files;
  private final FooterReader reader;
  private final Clock clock;

  FooterJob(FooterFiles files, FooterReader reader, Clock clock) {
    this.files = files;
    this.reader = reader;
    this.clock = clock;
  }

  /**
   * Reads as many footers as a turn allows.
   *
   * @param goOn asked before each batch
   * @return when to look again: 0 for at once
   */
  long run(Held held, Table table, BooleanSupplier goOn) {
    long after = 0;
    long again = Long.MAX_VALUE;
    for (int batch = 0; batch < BATCHES_A_TURN; batch++) {
      if (!goOn.getAsBoolean()) {
        return 0;
      }
      List<Waiting> waiting = files.after(held.tableId(), after, BATCH_FILES);
      if (waiting.isEmpty()) {
        return again == Long.MAX_VALUE ? 0 : again;
      }
      again = Math.min(again, read(held, table, waiting));
      after = waiting.getLast().fileId();
    }
    return 0;
  }

  /** Returns when the first of those that failed may be tried again. */
  private long read(Held held, Table table, List<Waiting> waiting) {
    long again = Long.MAX_VALUE;
    Map<Long, FileFacts> footers = new HashMap<>();
    Map<Waiting, Future<FileFacts>> reads = new HashMap<>();
    try (ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Waiting file : waiting) {
        if (!file.parquet()) {
          files.withoutFooter(held.tableId(), file.fileId());
        } else if (file.notBefore() > clock.millis()) {
          again = Math.min(again, file.notBefore());
        } else {
          reads.put(
              file,
              tasks.submit(
                  () -> reader.read(table, file.path(), file.sizeBytes(), file.recordCount())));
        }
      }
    }
    for (Map.Entry<Waiting, Future<FileFacts>> read : reads.entrySet()) {
      Waiting file = read.getKey();
      Future<FileFacts> footer = read.getValue();
      if (footer.state() == Future.State.SUCCESS) {
        footers.put(file.fileId(), footer.resultNow());
      } else {
        again = Math.min(again, failed(held, file, footer.exceptionNow()));
      }
    }
    files.store(held.tableId(), footers);
    return again;
  }

  private long failed(Held held, Waiting file, @Nullable Throwable failure) {
    boolean forGood =
        failure instanceof VarveException known
            && (known.code() == ErrorCode.FILE_CORRUPT
                || known.code() == ErrorCode.FEATURE_NOT_SUPPORTED);
    long again = clock.millis() + TableWork.backoff(file.attempts() + 1).toMillis();
    LOG.info("the footer of {} of table {} cannot be read", file.path(), held.name(), failure);
    files.failed(
        held.tableId(),
        file,
        TableWork.shortened(
            failure == null
                ? ""
                : failure.getMessage() == null ? failure.toString() : failure.getMessage()),
        forGood ? Optional.empty() : Optional.of(again));
    return forGood ? Long.MAX_VALUE : again;
  }
}
