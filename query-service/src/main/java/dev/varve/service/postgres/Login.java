package dev.varve.service.postgres;

import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.security.Authenticator;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;

/**
 * Asks for a password, or a token in its place. Passwords are kept as hashes that SCRAM cannot use,
 * so the client sends them as they are: over TLS, or within this machine.
 */
final class Login {
  private static final int OK = 0;
  private static final int CLEARTEXT_PASSWORD = 3;
  private static final int MAX_PASSWORD_BYTES = 4096;
  private static final String TOKEN = "varve_";

  private final Authenticator authenticator;

  Login(Authenticator authenticator) {
    this.authenticator = authenticator;
  }

  Principal login(
      String user,
      InetAddress client,
      boolean encrypted,
      WireInput in,
      WireOutput out,
      Replies replies)
      throws IOException {
    Optional<Principal> principal = authenticator.withoutCredentials(client);
    if (principal.isEmpty()) {
      if (!encrypted && !client.isLoopbackAddress()) {
        throw new VarveException(
            ErrorCode.INVALID_AUTHORIZATION,
            "a password is taken over TLS or from this machine only",
            null,
            "connect with sslmode=require",
            null);
      }
      replies.authentication(CLEARTEXT_PASSWORD);
      out.flush();
      WireInput.Message answer = in.next(MAX_PASSWORD_BYTES);
      if (answer.type() != 'p') {
        throw WireInput.wrong("no password");
      }
      String secret = answer.string();
      principal =
          secret.startsWith(TOKEN)
              ? authenticator.verify("Bearer " + secret)
              : authenticator.verify(user, secret);
    }
    Principal known =
        principal.orElseThrow(
            () ->
                new VarveException(
                    ErrorCode.INVALID_AUTHORIZATION,
                    "password authentication failed for user \"" + user + "\""));
    replies.authentication(OK);
    return known;
  }
}
