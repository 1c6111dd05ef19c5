package dev.varve.service.flight;

import dev.varve.engine.Session;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Setting;
import dev.varve.engine.port.Principal;
import dev.varve.service.query.SessionService;
import dev.varve.service.query.SessionService.SessionRequest;
import dev.varve.service.security.Authenticator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.CallInfo;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightProducer.CallContext;
import org.apache.arrow.flight.FlightServerMiddleware;
import org.apache.arrow.flight.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a call, and in which session: {@link LoginInterceptor} finds out before anything else
 * happens. A session is kept, and its cookie sent, from the moment it differs from a new one: a
 * client without cookies leaves none behind. Confined to one call.
 */
final class CallerMiddleware implements FlightServerMiddleware {
  static final Key<CallerMiddleware> KEY = Key.of("varve-caller");
  private static final String COOKIE = "arrow_flight_session_id";

  private final SessionService sessions;
  private final @Nullable String authorization;
  private final @Nullable String cookie;
  private final SessionRequest wanted;
  private @Nullable Principal principal;
  private @Nullable String issuedToken;
  private @Nullable Session session;
  private @Nullable String newCookie;

  private CallerMiddleware(
      SessionService sessions,
      @Nullable String authorization,
      @Nullable String cookie,
      SessionRequest wanted) {
    this.sessions = sessions;
    this.authorization = authorization;
    this.cookie = cookie;
    this.wanted = wanted;
  }

  static CallerMiddleware of(CallContext context) {
    return context.getMiddleware(KEY);
  }

  /** The credentials that the call shows. */
  @Nullable String authorization() {
    return authorization;
  }

  /**
   * The call is this principal's, if there is one.
   *
   * @param tokens where a client that showed its password gets what it shows from now on
   */
  synchronized void login(Optional<Principal> caller, @Nullable Authenticator tokens) {
    principal = caller.orElse(null);
    issuedToken = tokens == null ? null : caller.map(tokens::issueToken).orElse(null);
  }

  synchronized boolean isKnown() {
    return principal != null;
  }

  synchronized Principal principal() {
    Principal known = principal;
    if (known == null) {
      throw new IllegalStateException("a call without a login was let through");
    }
    return known;
  }

  /** The session of the call's cookie, or a new one with what the call's headers say. */
  synchronized Session session() {
    Session known = session;
    if (known == null) {
      known =
          cookie != null ? sessions.find(principal(), cookie) : sessions.open(principal(), wanted);
      session = known;
      if (cookie == null && !wanted.equals(SessionRequest.DEFAULTS)) {
        newCookie = sessions.keep(known);
      }
    }
    return known;
  }

  /** Whether the client holds a session already. */
  boolean hasSession() {
    return cookie != null;
  }

  /** The client is to come back to a session whose state has changed. */
  synchronized void keep(Session changed) {
    if (cookie == null && newCookie == null) {
      session = changed;
      newCookie = sessions.keep(changed);
    }
  }

  /** False if there is none. */
  boolean closeSession() {
    if (cookie == null) {
      return false;
    }
    sessions.close(principal(), cookie);
    return true;
  }

  @Override
  public synchronized void onBeforeSendingHeaders(CallHeaders headers) {
    if (issuedToken != null) {
      headers.insert("authorization", "Bearer " + issuedToken);
    }
    if (newCookie != null) {
      headers.insert("set-cookie", COOKIE + "=" + newCookie);
    }
  }

  @Override
  public void onCallCompleted(CallStatus status) {}

  @Override
  public void onCallErrored(Throwable failure) {}

  /** Reads the headers of every call. */
  static final class Factory implements FlightServerMiddleware.Factory<CallerMiddleware> {
    private final SessionService sessions;

    Factory(SessionService sessions) {
      this.sessions = sessions;
    }

    @Override
    public CallerMiddleware onCallStarted(
        CallInfo call, CallHeaders headers, RequestContext context) {
      return new CallerMiddleware(
          sessions, headers.get("authorization"), cookie(headers), wanted(headers));
    }

    private static @Nullable String cookie(CallHeaders headers) {
      for (String header : headers.getAll("cookie")) {
        for (String part : header.split(";")) {
          String[] pair = part.strip().split("=", 2);
          if (pair.length == 2 && pair[0].equals(COOKIE)) {
            return pair[1].replace("\"", "");
          }
        }
      }
      return null;
    }

    /**
     * Drivers send the properties of a connection that they do not know as headers: those named as
     * settings are settings, {@code schema} is a schema, with or without its catalog.
     */
    private static SessionRequest wanted(CallHeaders headers) {
      Map<String, String> settings = new HashMap<>();
      for (Setting<?> setting : EngineSettings.all()) {
        String value = headers.get(setting.name());
        if (value != null) {
          settings.put(setting.name(), value);
        }
      }
      String name = headers.get("schema");
      if (name == null && settings.isEmpty()) {
        return SessionRequest.DEFAULTS;
      }
      int dot = name == null ? -1 : name.indexOf('.');
      return new SessionRequest(
          name == null || dot < 0 ? null : name.substring(0, dot),
          name == null ? null : name.substring(dot + 1),
          settings.isEmpty() ? null : settings);
    }
  }
}
