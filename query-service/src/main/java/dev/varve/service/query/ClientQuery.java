package dev.varve.service.query;

import dev.varve.engine.QueryHandle;
import dev.varve.engine.QueryProgress;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.Principal;
import dev.varve.engine.runtime.QueryState;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.web.Problem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A statement that a client submitted: what it answers is moved from the engine into a bounded
 * buffer by a thread of its own, which also closes the handle. Safe for concurrent use.
 */
public final class ClientQuery {
  private static final Logger LOG = LoggerFactory.getLogger(ClientQuery.class);

  /** What remains of a query when its handle is closed. */
  private record Ended(
      Instant at,
      QueryState state,
      Optional<String> tag,
      QueryProgress progress,
      Optional<String> plan) {}

  /** How long the thread that moves rows waited for room. Written by it only. */
  private volatile long fetchingNanos;

  private final QueryHandle handle;
  private final Principal owner;
  private final Clock clock;
  private final Instant submittedAt;
  private final ResultBuffer results;
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile Instant lastAskedAt;
  private volatile @Nullable VarveException failure;
  private volatile @Nullable Ended ended;

  ClientQuery(QueryHandle handle, Principal owner, long bufferBytes, Clock clock) {
    this.handle = handle;
    this.owner = owner;
    this.clock = clock;
    this.submittedAt = clock.instant();
    this.lastAskedAt = submittedAt;
    this.results = new ResultBuffer(bufferBytes);
  }

  /** Starts moving rows; {@code atEnd} runs once, when the handle is closed. */
  void start(Runnable atEnd) {
    // A platform thread: virtual ones wait behind queries that keep their carriers busy.
    Thread.ofPlatform()
        .daemon()
        .name("results-" + id())
        .start(
            () -> {
              try {
                moveResults();
              } finally {
                atEnd.run();
              }
            });
  }

  private void moveResults() {
    try (handle) {
      try {
        results.begin(handle.schema());
        Batch batch = handle.nextBatch();
        while (batch != null && offer(batch)) {
          batch = handle.nextBatch();
        }
        if (batch != null) {
          handle.cancel();
        }
        remember(null);
      } catch (Throwable e) {
        handle.cancel();
        remember(Failures.ofStatement(e, id()));
      }
    } catch (RuntimeException e) {
      LOG.error("query {} did not close", id(), e);
    }
    VarveException reason = failure;
    if (reason == null) {
      results.complete();
    } else {
      results.fail(reason);
    }
  }

  private boolean offer(Batch batch) throws InterruptedException {
    long start = System.nanoTime();
    try {
      return results.offer(batch);
    } finally {
      fetchingNanos += System.nanoTime() - start;
    }
  }

  /** The first reason counts: a query that is cancelled fails in the engine right after. */
  private synchronized void remember(@Nullable VarveException reason) {
    VarveException first = failure == null ? reason : failure;
    failure = first;
    QueryState state =
        first == null
            ? QueryState.FINISHED
            : isCancel(first) ? QueryState.CANCELED : QueryState.FAILED;
    ended =
        new Ended(
            clock.instant(), state, handle.statementTag(), handle.progress(), handle.planText());
    end.countDown();
  }

  private static boolean isCancel(VarveException reason) {
    return reason.code() == ErrorCode.QUERY_CANCELED;
  }

  /**
   * Waits a while for the result's columns; empty if they are not known yet.
   *
   * @throws RuntimeException the failure of the query
   */
  public Optional<Schema> schema(Duration wait) throws InterruptedException {
    lastAskedAt = clock.instant();
    return results.schema(wait);
  }

  /** See {@link ResultBuffer#fetch}. */
  public ResultBuffer.Page fetch(long token, int maxRows, long maxBytes, Duration wait)
      throws InterruptedException {
    lastAskedAt = clock.instant();
    try {
      return results.fetch(token, maxRows, maxBytes, wait);
    } finally {
      lastAskedAt = clock.instant();
    }
  }

  /** Ends the query for {@code reason} and drops its rows. */
  public void cancel(VarveException reason) {
    synchronized (this) {
      if (ended == null && failure == null) {
        failure = reason;
      }
    }
    handle.cancel();
    results.discard(reason);
  }

  public String id() {
    return handle.id();
  }

  String sql() {
    return handle.sql();
  }

  Principal owner() {
    return owner;
  }

  Instant submittedAt() {
    return submittedAt;
  }

  Instant lastAskedAt() {
    return lastAskedAt;
  }

  void asked() {
    lastAskedAt = clock.instant();
  }

  boolean hasEnded() {
    return ended != null;
  }

  /** Returns when it has ended, or after a while. */
  void awaitEnd(Duration limit) throws InterruptedException {
    end.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  Optional<Instant> endedAt() {
    return Optional.ofNullable(ended).map(Ended::at);
  }

  QueryState state() {
    Ended end = ended;
    return end == null ? handle.state() : end.state();
  }

  public Optional<String> statementTag() {
    Ended end = ended;
    return end == null ? handle.statementTag() : end.tag();
  }

  public QueryProgress progress() {
    Ended end = ended;
    return end == null ? handle.progress() : end.progress();
  }

  Optional<String> planText() {
    Ended end = ended;
    return end == null ? handle.planText() : end.plan();
  }

  /** What lists and the history say of it now. */
  QueryRecord record() {
    Ended end = ended;
    return new QueryRecord(
        id(),
        owner.name(),
        state().name(),
        statementTag().orElse(null),
        sql(),
        submittedAt,
        end == null ? null : end.at(),
        progress(),
        TimeUnit.NANOSECONDS.toMillis(fetchingNanos),
        end == null ? null : failure().map(Problem::of).orElse(null));
  }

  public Optional<VarveException> failure() {
    return Optional.ofNullable(failure);
  }

  long retainedBytes() {
    return results.retainedBytes();
  }

  /** Drops the rows of an ended query. */
  public void discardResults(VarveException reason) {
    results.discard(reason);
  }
}
