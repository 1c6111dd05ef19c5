package dev.varve.service.query;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows between a query and its client: bounded in bytes, so that a slow client stops the query
 * instead of filling memory. Pages are numbered from 0; the last one given out is kept until the
 * next one is asked for, so that a client whose connection broke can ask again.
 *
 * <p>One thread offers, any number fetch.
 */
public final class ResultBuffer {
  /**
   * Some rows, in order.
   *
   * @param schema null until the columns are known
   * @param next the token of the next page, or -1 after the last
   */
  public record Page(long token, @Nullable Schema schema, List<Batch> batches, long next) {
    int rowCount() {
      return batches.stream().mapToInt(Batch::rowCount).sum();
    }
  }

  private final long limitBytes;
  private final Deque<Batch> batches = new ArrayDeque<>();
  private long bufferedBytes;
  private @Nullable Schema schema;
  private boolean complete;
  private boolean discarded;
  private @Nullable RuntimeException failure;
  private @Nullable Page lastPage;
  private long nextToken;

  ResultBuffer(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  synchronized void begin(Schema columns) {
    schema = columns;
    notifyAll();
  }

  /** Waits for room; false if nobody wants the rows any more. */
  synchronized boolean offer(Batch batch) throws InterruptedException {
    long size = batch.sizeInBytes();
    while (!discarded && bufferedBytes > 0 && bufferedBytes + size > limitBytes) {
      wait();
    }
    if (discarded) {
      return false;
    }
    if (batch.rowCount() > 0) {
      batches.add(batch);
      bufferedBytes += size;
      notifyAll();
    }
    return true;
  }

  synchronized void complete() {
    complete = true;
    notifyAll();
  }

  synchronized void fail(RuntimeException reason) {
    if (!complete) {
      failure = reason;
      complete = true;
      release();
    }
    notifyAll();
  }

  /** Drops what is buffered; fetching afterwards throws {@code reason}. */
  synchronized void discard(RuntimeException reason) {
    discarded = true;
    failure = failure == null ? reason : failure;
    complete = true;
    release();
    notifyAll();
  }

  private void release() {
    batches.clear();
    bufferedBytes = 0;
    lastPage = null;
  }

  synchronized long bufferedBytes() {
    return bufferedBytes;
  }

  /** What is held for the client: rows it has not seen, and the page it could ask for again. */
  synchronized long retainedBytes() {
    Page page = lastPage;
    return bufferedBytes
        + (page == null ? 0 : page.batches().stream().mapToLong(Batch::sizeInBytes).sum());
  }

  /** Whether the client has seen everything there is. */
  synchronized boolean isDrained() {
    return complete && batches.isEmpty();
  }

  /** Waits a while for the columns; empty if they are not known yet. */
  synchronized Optional<Schema> schema(Duration wait) throws InterruptedException {
    long deadline = System.nanoTime() + wait.toNanos();
    while (schema == null && !complete) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return Optional.empty();
      }
      wait(Math.max(1, left / 1_000_000), (int) (left % 1_000_000));
    }
    if (failure != null) {
      throw failure;
    }
    return Optional.ofNullable(schema);
  }

  /**
   * The page of a token: of the next page, or of the last one again. Waits a while for rows; an
   * empty page that is not the last has its own token as the next.
   *
   * @throws RuntimeException the failure of the query
   */
  synchronized Page fetch(long token, int maxRows, long maxBytes, Duration wait)
      throws InterruptedException {
    Page last = lastPage;
    if (last != null && token == last.token()) {
      return last;
    }
    if (token != nextToken) {
      throw new VarveException(
          ErrorCode.NOT_FOUND,
          "page "
              + token
              + " is not held: pages are fetched in order, and the next is "
              + nextToken);
    }
    lastPage = null;
    long deadline = System.nanoTime() + wait.toNanos();
    while (batches.isEmpty() && !complete) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return new Page(token, schema, List.of(), token);
      }
      wait(Math.max(1, left / 1_000_000), (int) (left % 1_000_000));
    }
    if (failure != null) {
      throw failure;
    }
    List<Batch> rows = take(maxRows, maxBytes);
    boolean end = complete && batches.isEmpty();
    Page page = new Page(token, schema, rows, end ? -1 : token + 1);
    lastPage = page;
    nextToken = token + 1;
    notifyAll();
    return page;
  }

  private List<Batch> take(int maxRows, long maxBytes) {
    List<Batch> taken = new ArrayList<>();
    int rowsLeft = maxRows;
    long bytesLeft = maxBytes;
    while (rowsLeft > 0 && bytesLeft > 0) {
      Batch head = batches.poll();
      if (head == null) {
        break;
      }
      long size = head.sizeInBytes();
      bufferedBytes -= size;
      int fitting = Math.min(rowsLeft, rowsWithin(head.rowCount(), size, bytesLeft));
      if (fitting < head.rowCount()) {
        Batch rest = head.slice(fitting, head.rowCount() - fitting);
        batches.addFirst(rest);
        bufferedBytes += rest.sizeInBytes();
        head = head.slice(0, fitting);
        size = head.sizeInBytes();
      }
      taken.add(head);
      rowsLeft -= head.rowCount();
      bytesLeft -= size;
    }
    return taken;
  }

  /** At least one, so that a row larger than a page still gets through. */
  private static int rowsWithin(int rows, long size, long limit) {
    return size <= limit ? rows : (int) Math.max(1, rows * (double) limit / size);
  }
}
