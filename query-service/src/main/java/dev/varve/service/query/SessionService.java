package dev.varve.service.query;

import dev.varve.engine.QueryEngine;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.home.ServiceConfiguration;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The sessions that clients hold between statements. Safe for concurrent use. */
public final class SessionService {
  /** What a client asks of a new session; null leaves the default. */
  public record SessionRequest(
      @Nullable String catalog, @Nullable String schema, @Nullable Map<String, String> settings) {
    public static final SessionRequest DEFAULTS = new SessionRequest(null, null, null);
  }

  private static final class Held {
    final Session session;
    volatile Instant lastUsedAt;

    Held(Session session, Instant now) {
      this.session = session;
      this.lastUsedAt = now;
    }
  }

  private final QueryEngine engine;
  private final ServiceConfiguration configuration;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Held> sessions = new ConcurrentHashMap<>();

  SessionService(QueryEngine engine, ServiceConfiguration configuration, Clock clock) {
    this.engine = engine;
    this.configuration = configuration;
    this.clock = clock;
  }

  /** A session for one statement. */
  public Session open(Principal principal, SessionRequest request) {
    Session session = engine.openSession(principal);
    apply(session, request);
    return session;
  }

  /** Changes what is said of a session's state. */
  public static void apply(Session session, SessionRequest request) {
    Map<String, String> settings = request.settings();
    if (settings != null) {
      settings.forEach((name, value) -> run(session, "SET " + name(name) + " = " + text(value)));
    }
    String catalog = request.catalog();
    String schema = request.schema();
    if (catalog != null || schema != null) {
      String full =
          identifier(catalog == null ? session.catalog() : catalog)
              + (schema == null ? "" : "." + identifier(schema));
      run(session, "USE " + full);
    }
  }

  /** A session that stays until it is closed or not used for long; its id is a secret. */
  String create(Principal principal, SessionRequest request) {
    makeRoom();
    return keep(open(principal, request));
  }

  /** Keeps a session until it is closed or not used for long; answers its id, a secret. */
  public String keep(Session session) {
    makeRoom();
    byte[] secret = new byte[16];
    random.nextBytes(secret);
    String id = HexFormat.of().formatHex(secret);
    sessions.put(id, new Held(session, clock.instant()));
    return id;
  }

  private boolean isAbandoned(Held held, Instant now) {
    return held.lastUsedAt.isBefore(now.minus(configuration.sessionAbandonedAfter()));
  }

  /** Closes what is abandoned. */
  private void makeRoom() {
    Instant now = clock.instant();
    sessions.values().removeIf(held -> isAbandoned(held, now));
    if (sessions.size() >= configuration.maxSessions()) {
      throw new VarveException(
          ErrorCode.TOO_MANY_QUERIES,
          configuration.maxSessions() + " sessions are open, which is the limit",
          null,
          "close one with DELETE /api/v1/sessions/{id}",
          null);
    }
  }

  /**
   * @throws VarveException NOT_FOUND also for a session of somebody else
   */
  public Session find(Principal principal, String id) {
    Held held =
        sessions.computeIfPresent(id, (key, h) -> isAbandoned(h, clock.instant()) ? null : h);
    if (held == null || !held.session.principal().name().equals(principal.name())) {
      throw new VarveException(
          ErrorCode.NOT_FOUND,
          "no such session",
          null,
          "one that is not used for "
              + configuration.sessionAbandonedAfter().toSeconds()
              + " seconds is closed; open another with POST /api/v1/sessions",
          null);
    }
    held.lastUsedAt = clock.instant();
    return held.session;
  }

  public void close(Principal principal, String id) {
    find(principal, id);
    sessions.remove(id);
  }

  /** A setting of a session is to have its default again. */
  public static void reset(Session session, String setting) {
    run(session, "RESET " + name(setting));
  }

  private static void run(Session session, String statement) {
    try (QueryHandle handle = session.submit(statement)) {
      handle.schema();
      while (handle.nextBatch() != null) {
        // SET and USE answer nothing that is of interest here.
      }
    }
  }

  /** A setting's name is dotted words; anything else is no setting. */
  private static String name(String setting) {
    if (!setting.matches("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*")) {
      throw new VarveException(ErrorCode.UNDEFINED_OBJECT, "unknown setting '" + setting + "'");
    }
    return setting;
  }

  private static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static String text(String value) {
    return '\'' + value.replace("'", "''") + '\'';
  }
}
