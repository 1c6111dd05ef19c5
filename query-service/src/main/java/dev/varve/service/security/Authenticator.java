package dev.varve.service.security;

import dev.varve.engine.port.Principal;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who somebody is, whatever way they come in: the one place that looks at credentials. Safe for
 * concurrent use.
 */
public final class Authenticator {
  private static final Principal DEMO = new Principal("demo", Set.of(Principals.ADMIN));

  private final Users users;
  private final Tokens tokens;
  private final LoginTokens logins;
  private final boolean openToLocal;

  /**
   * @param openToLocal whether clients of this machine without credentials are the demo user
   */
  Authenticator(Users users, Tokens tokens, Clock clock, boolean openToLocal) {
    this.users = users;
    this.tokens = tokens;
    this.logins = new LoginTokens(clock);
    this.openToLocal = openToLocal;
  }

  /** By an {@code Authorization} header; empty if its credentials are wrong. */
  public Optional<Principal> verify(String authorization) {
    int space = authorization.indexOf(' ');
    String scheme = space < 0 ? "" : authorization.substring(0, space).toLowerCase(Locale.ROOT);
    String credentials = authorization.substring(space + 1).strip();
    return switch (scheme) {
      case "bearer" ->
          logins
              .verify(credentials)
              .or(() -> tokens.verify(credentials))
              .map(Authenticator::principal);
      case "basic" -> {
        String decoded = decode(credentials);
        int colon = decoded == null ? -1 : decoded.indexOf(':');
        yield decoded == null || colon < 0
            ? Optional.empty()
            : verify(decoded.substring(0, colon), decoded.substring(colon + 1));
      }
      default -> Optional.empty();
    };
  }

  /** By name and password; empty if there is no such user, or the password is another. */
  public Optional<Principal> verify(String user, String password) {
    return users.verify(user, password).map(Authenticator::principal);
  }

  /** A client that shows nothing; empty where that is not enough. */
  public Optional<Principal> withoutCredentials(@Nullable InetAddress client) {
    return openToLocal && client != null && client.isLoopbackAddress()
        ? Optional.of(DEMO)
        : Optional.empty();
  }

  /** A bearer token that stands for a login with a password. */
  public String issueToken(Principal principal) {
    return logins.issue(new Users.User(principal.name(), principal.roles()));
  }

  private static Principal principal(Users.User user) {
    return new Principal(user.name(), user.roles());
  }

  private static @Nullable String decode(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
