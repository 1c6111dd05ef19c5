package dev.varve.service.query;

import dev.varve.engine.PreparedStatement;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.home.ServiceConfiguration;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of the queries that clients submit: at most so many run, one that nobody asks about is
 * cancelled, and an ended one can be asked about for a while. Safe for concurrent use.
 */
public final class QueryService implements AutoCloseable {
  private static final int MAX_KEPT = 1000;
  private static final int MAX_KEY_LENGTH = 200;
  private static final int RETAINED_SHARE_OF_HEAP = 16;
  private static final Logger LOG = LoggerFactory.getLogger(QueryService.class);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  private final ServiceConfiguration configuration;
  private final QueryHistory history;
  private final Clock clock;
  private final Map<String, ClientQuery> queries = new ConcurrentHashMap<>();
  private final Map<UserKey, Submission> submissions = new ConcurrentHashMap<>();
  private final AtomicInteger running = new AtomicInteger();
  private final ScheduledExecutorService sweeper =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("query-sweeper").factory());
  private final long retainedLimitBytes = Runtime.getRuntime().maxMemory() / RETAINED_SHARE_OF_HEAP;
  private volatile boolean stopping;

  QueryService(ServiceConfiguration configuration, QueryHistory history, Clock clock) {
    this.configuration = configuration;
    this.history = history;
    this.clock = clock;
    sweeper.scheduleWithFixedDelay(this::sweep, 250, 250, TimeUnit.MILLISECONDS);
  }

  ClientQuery submit(
      Session session, Principal owner, String sql, List<@Nullable Object> parameters) {
    check(sql);
    return submit(owner, () -> session.submit(sql, parameters));
  }

  /** Parses and checks a statement, as one of the queries that may run. */
  public PreparedStatement prepare(Session session, String sql) {
    check(sql);
    admit();
    try {
      return session.prepare(sql);
    } finally {
      running.decrementAndGet();
    }
  }

  /** Starts a prepared statement. */
  public ClientQuery execute(
      Principal owner, PreparedStatement statement, List<@Nullable Object> parameters) {
    return submit(owner, () -> statement.execute(parameters));
  }

  /** Starts a statement. */
  public ClientQuery execute(Session session, String sql) {
    return submit(session, session.principal(), sql, List.of());
  }

  private ClientQuery submit(Principal owner, Supplier<QueryHandle> start) {
    admit();
    ClientQuery query;
    try {
      query = new ClientQuery(start.get(), owner, configuration.resultBufferBytes(), clock);
    } catch (Throwable e) {
      running.decrementAndGet();
      throw e;
    }
    queries.put(query.id(), query);
    history.put(query.record());
    query.start(
        () -> {
          history.put(query.record());
          running.decrementAndGet();
        });
    return query;
  }

  private void check(String sql) {
    if (sql.isBlank()) {
      throw new VarveException(ErrorCode.INVALID_PARAMETER, "the statement is empty");
    }
    if (sql.length() > configuration.maxSqlLength()) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "the statement has "
              + sql.length()
              + " characters; the limit is "
              + configuration.maxSqlLength());
    }
  }

  private void admit() {
    if (stopping) {
      throw new VarveException(ErrorCode.SHUTTING_DOWN, "the service is stopping");
    }
    if (running.incrementAndGet() > configuration.maxRunningQueries()) {
      running.decrementAndGet();
      throw new VarveException(
          ErrorCode.TOO_MANY_QUERIES,
          configuration.maxRunningQueries() + " queries are running, which is the limit",
          null,
          "try again when one has ended",
          null);
    }
  }

  /**
   * The same, once for a key of the user's: sent again, it answers the query that the first request
   * started, as long as that is known.
   */
  ClientQuery submitOnce(
      String key, Session session, Principal owner, String sql, List<@Nullable Object> parameters) {
    if (key.isBlank() || key.length() > MAX_KEY_LENGTH) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "an idempotency key has 1 to " + MAX_KEY_LENGTH + " characters");
    }
    Submission wanted =
        new Submission(sql, List.copyOf(texts(parameters)), new AtomicReference<>());
    UserKey userKey = new UserKey(owner.name(), key);
    Submission first = submissions.computeIfAbsent(userKey, k -> wanted);
    if (!first.isSame(wanted)) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "the idempotency key '" + key + "' was used for another statement");
    }
    synchronized (first) {
      ClientQuery known = first.query().get();
      if (known == null) {
        try {
          known = submit(session, owner, sql, parameters);
          first.query().set(known);
        } finally {
          if (known == null) {
            submissions.remove(userKey, first);
          }
        }
      }
      known.asked();
      return known;
    }
  }

  private static List<String> texts(List<@Nullable Object> parameters) {
    return parameters.stream()
        .map(value -> value == null ? "null" : value.getClass().getSimpleName() + " " + value)
        .toList();
  }

  private record UserKey(String user, String key) {}

  /** What a key was first used for; the query is there once it is submitted. */
  private record Submission(
      String sql, List<String> parameters, AtomicReference<@Nullable ClientQuery> query) {
    boolean isSame(Submission other) {
      return sql.equals(other.sql) && parameters.equals(other.parameters);
    }
  }

  /** Queries that a user may see, the latest first. */
  List<QueryRecord> list(Principal asker, Predicate<QueryRecord> wanted, int limit) {
    return history.latestFirst().stream()
        .filter(record -> mayUse(asker, record.user()))
        .map(record -> now(record))
        .filter(wanted)
        .limit(limit)
        .toList();
  }

  private QueryRecord now(QueryRecord record) {
    ClientQuery query = record.hasEnded() ? null : queries.get(record.id());
    return query == null ? record : query.record().withSql(record.sql());
  }

  /** A query that ended so long ago that only the history knows it. */
  Optional<QueryRecord> past(Principal asker, String id) {
    return queries.containsKey(id)
        ? Optional.empty()
        : history.find(id).filter(record -> mayUse(asker, record.user()));
  }

  /**
   * @throws VarveException NOT_FOUND also for a query of somebody else, which thereby stays secret
   */
  public ClientQuery find(Principal asker, String id) {
    ClientQuery query = queries.get(id);
    if (query == null || !mayUse(asker, query.owner().name())) {
      throw new VarveException(
          ErrorCode.NOT_FOUND,
          "no query '" + id + "'",
          null,
          "an ended query is kept for " + configuration.queryKeptFor().toSeconds() + " seconds",
          null);
    }
    query.asked();
    return query;
  }

  private static boolean mayUse(Principal asker, String owner) {
    return asker.name().equals(owner) || asker.roles().contains("admin");
  }

  public void cancel(Principal asker, String id) {
    find(asker, id).cancel(new VarveException(ErrorCode.QUERY_CANCELED, "the query was cancelled"));
  }

  public int runningCount() {
    return running.get();
  }

  private void sweep() {
    try {
      Instant now = clock.instant();
      queries.values().forEach(query -> sweep(query, Duration.between(query.lastAskedAt(), now)));
      boundEnded();
      submissions.values().removeIf(this::isForgotten);
    } catch (RuntimeException e) {
      LOG.error("looking for abandoned queries failed", e);
    }
  }

  private boolean isForgotten(Submission submission) {
    ClientQuery query = submission.query().get();
    return query != null && !queries.containsKey(query.id());
  }

  private void sweep(ClientQuery query, Duration silent) {
    boolean abandoned = silent.compareTo(configuration.queryAbandonedAfter()) > 0;
    if (query.hasEnded()) {
      if (silent.compareTo(configuration.queryKeptFor()) > 0) {
        queries.remove(query.id());
      } else if (abandoned) {
        query.discardResults(dropped("nobody fetched them"));
      }
    } else if (abandoned) {
      query.cancel(
          new VarveException(
              ErrorCode.QUERY_CANCELED,
              "the query was cancelled: nobody asked about it for "
                  + configuration.queryAbandonedAfter().toSeconds()
                  + " seconds"));
    }
  }

  /** Ended queries are bounded in number, and in the bytes that wait for their clients. */
  private void boundEnded() {
    List<ClientQuery> ended =
        queries.values().stream()
            .filter(ClientQuery::hasEnded)
            .sorted(Comparator.comparing(ClientQuery::lastAskedAt).reversed())
            .toList();
    long bytes = 0;
    for (int i = 0; i < ended.size(); i++) {
      ClientQuery query = ended.get(i);
      bytes += query.retainedBytes();
      if (i >= MAX_KEPT) {
        queries.remove(query.id());
      } else if (bytes > retainedLimitBytes) {
        query.discardResults(dropped("too many results wait for their clients"));
      }
    }
  }

  private static VarveException dropped(String why) {
    return new VarveException(ErrorCode.NOT_FOUND, "the query's results were dropped: " + why);
  }

  /** Refuses new queries, cancels the running ones and waits for them. */
  @Override
  public void close() {
    stopping = true;
    sweeper.shutdownNow();
    VarveException reason =
        new VarveException(ErrorCode.SHUTTING_DOWN, "the query was cancelled: the service stops");
    queries.values().stream().filter(q -> !q.hasEnded()).forEach(q -> q.cancel(reason));
    long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
    while (running.get() > 0 && System.nanoTime() < deadline) {
      java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
    }
  }
}
