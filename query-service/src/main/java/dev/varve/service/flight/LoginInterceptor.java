package dev.varve.service.flight;

import dev.varve.service.security.Authenticator;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.arrow.flight.grpc.ServerInterceptorAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Lets no call through whose caller is not known, whatever it calls. It stands between {@link
 * CallerMiddleware}, which has read the headers, and Flight's methods, because only here is known
 * where a call comes from.
 */
final class LoginInterceptor implements ServerInterceptor {
  private static final String PASSWORD_SCHEME = "basic ";

  private final Authenticator authenticator;

  LoginInterceptor(Authenticator authenticator) {
    this.authenticator = authenticator;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String refusal = refusal(call);
    if (refusal == null) {
      return next.startCall(call, headers);
    }
    call.close(Status.UNAUTHENTICATED.withDescription(refusal), new Metadata());
    return new ServerCall.Listener<>() {};
  }

  /** Null if the caller is known now. */
  private @Nullable String refusal(ServerCall<?, ?> call) {
    if (!(ServerInterceptorAdapter.SERVER_MIDDLEWARE_KEY.get().get(CallerMiddleware.KEY)
        instanceof CallerMiddleware caller)) {
      throw new IllegalStateException("the middleware runs before the login");
    }
    InetAddress peer =
        call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress from
            ? from.getAddress()
            : null;
    String shown = caller.authorization();
    if (shown == null) {
      caller.login(authenticator.withoutCredentials(peer), null);
      return caller.isKnown() ? null : "log in with a token, or name and password";
    }
    boolean password = shown.regionMatches(true, 0, PASSWORD_SCHEME, 0, PASSWORD_SCHEME.length());
    boolean local = peer != null && peer.isLoopbackAddress();
    if (password && !local && call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION) == null) {
      return "a password is taken over TLS or from this machine only; use a token, or set"
          + " tls.certificate and tls.key";
    }
    caller.login(authenticator.verify(shown), password ? authenticator : null);
    return caller.isKnown() ? null : "wrong credentials";
  }
}
