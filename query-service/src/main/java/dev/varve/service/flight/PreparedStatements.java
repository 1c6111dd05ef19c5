package dev.varve.service.flight;

import dev.varve.engine.PreparedStatement;
import dev.varve.engine.Session;
import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.home.ServiceConfiguration;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The statements that clients hold prepared, by handle: bounded in number, and dropped when they
 * are not used for as long as a session may be. Safe for concurrent use.
 */
final class PreparedStatements {
  static final int MAX_OF_A_USER = 1000;

  /** One of them; a client binds values and executes it with them. */
  static final class Entry {
    private final Principal owner;
    private final Session session;
    private final PreparedStatement statement;
    private volatile List<@Nullable Object> values = List.of();
    private volatile Instant lastUsedAt;

    private Entry(Session session, PreparedStatement statement, Instant now) {
      this.owner = session.principal();
      this.session = session;
      this.statement = statement;
      this.lastUsedAt = now;
    }

    /** Where it was prepared. */
    Session session() {
      return session;
    }

    PreparedStatement statement() {
      return statement;
    }

    void bind(List<@Nullable Object> row) {
      values = Collections.unmodifiableList(row);
    }

    List<@Nullable Object> values() {
      return values;
    }
  }

  private final ServiceConfiguration configuration;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  PreparedStatements(ServiceConfiguration configuration, Clock clock) {
    this.configuration = configuration;
    this.clock = clock;
  }

  /** Answers the handle, which is a secret. */
  String add(Session session, PreparedStatement statement) {
    Instant now = clock.instant();
    Instant limit = now.minus(configuration.sessionAbandonedAfter());
    entries.values().removeIf(entry -> entry.lastUsedAt.isBefore(limit));
    String user = session.principal().name();
    long held = entries.values().stream().filter(e -> e.owner.name().equals(user)).count();
    if (held >= MAX_OF_A_USER) {
      throw new VarveException(
          ErrorCode.TOO_MANY_QUERIES,
          user + " holds " + held + " prepared statements, which is the limit",
          null,
          "close those that are not needed",
          null);
    }
    byte[] secret = new byte[16];
    random.nextBytes(secret);
    String handle = HexFormat.of().formatHex(secret);
    entries.put(handle, new Entry(session, statement, now));
    return handle;
  }

  /**
   * @throws VarveException NOT_FOUND also for a statement of somebody else
   */
  Entry find(Principal principal, String handle) {
    Entry entry = entries.get(handle);
    if (entry == null || !entry.owner.name().equals(principal.name())) {
      throw new VarveException(
          ErrorCode.NOT_FOUND,
          "no such prepared statement: it was closed, or not used for "
              + configuration.sessionAbandonedAfter().toSeconds()
              + " seconds");
    }
    entry.lastUsedAt = clock.instant();
    return entry;
  }

  /** Closing one that is gone already is no mistake. */
  void close(Principal principal, String handle) {
    Entry entry = entries.get(handle);
    if (entry != null && entry.owner.name().equals(principal.name())) {
      entries.remove(handle, entry);
    }
  }

  int size() {
    return entries.size();
  }
}
