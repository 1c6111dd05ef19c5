package dev.varve.service.security;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a client that logged in with a password shows afterwards instead of it. Kept in memory, and
 * good until nobody has shown it for a while. Safe for concurrent use.
 */
final class LoginTokens {
  static final Duration IDLE = Duration.ofHours(12);
  private static final int MAX_TOKENS = 10_000;
  private static final String PREFIX = "varve_login_";

  private record Login(Users.User user, Instant shownAt) {}

  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  /** By the token's hash, so that looking it up tells nothing of it by its time. */
  private final Map<String, Login> logins = new ConcurrentHashMap<>();

  LoginTokens(Clock clock) {
    this.clock = clock;
  }

  String issue(Users.User user) {
    Instant now = clock.instant();
    logins.values().removeIf(login -> login.shownAt().plus(IDLE).isBefore(now));
    if (logins.size() >= MAX_TOKENS) {
      logins.entrySet().stream()
          .min(Comparator.comparing(e -> e.getValue().shownAt()))
          .ifPresent(oldest -> logins.remove(oldest.getKey()));
    }
    byte[] bits = new byte[32];
    random.nextBytes(bits);
    String token = PREFIX + HexFormat.of().formatHex(bits);
    logins.put(key(token), new Login(user, now));
    return token;
  }

  Optional<Users.User> verify(String token) {
    if (!token.startsWith(PREFIX)) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    Login login =
        logins.computeIfPresent(
            key(token),
            (key, known) ->
                known.shownAt().plus(IDLE).isBefore(now) ? null : new Login(known.user(), now));
    return Optional.ofNullable(login).map(Login::user);
  }

  private static String key(String token) {
    return HexFormat.of().formatHex(Tokens.hash(token));
  }
}
