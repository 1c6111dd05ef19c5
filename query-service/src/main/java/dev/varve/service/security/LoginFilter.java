package dev.varve.service.security;

import dev.varve.service.web.Problem;
import dev.varve.service.web.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Every way to log in over HTTP: a bearer token, or name and password. Wrong credentials are
 * refused at once, also where none were needed.
 */
final class LoginFilter extends OncePerRequestFilter {
  private final Users users;
  private final Tokens tokens;
  private final ProblemWriter problems;
  private final boolean openToLocal;

  /**
   * @param openToLocal whether requests of this machine without credentials are the demo user's
   */
  LoginFilter(Users users, Tokens tokens, ProblemWriter problems, boolean openToLocal) {
    this.users = users;
    this.tokens = tokens;
    this.problems = problems;
    this.openToLocal = openToLocal;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String header = request.getHeader("Authorization");
    Optional<Users.User> user;
    if (header != null) {
      user = verify(header);
      if (user.isEmpty()) {
        refuse(request, response, problems, "wrong credentials");
        return;
      }
    } else {
      user =
          openToLocal && InetAddress.ofLiteral(request.getRemoteAddr()).isLoopbackAddress()
              ? Optional.of(new Users.User("demo", Set.of(Principals.ADMIN)))
              : Optional.empty();
    }
    if (user.isPresent()) {
      SecurityContext context = SecurityContextHolder.createEmptyContext();
      context.setAuthentication(Principals.authenticated(user.get().name(), user.get().roles()));
      SecurityContextHolder.setContext(context);
    }
    chain.doFilter(request, response);
  }

  private Optional<Users.User> verify(String header) {
    int space = header.indexOf(' ');
    String scheme = space < 0 ? "" : header.substring(0, space).toLowerCase(Locale.ROOT);
    String credentials = header.substring(space + 1).strip();
    return switch (scheme) {
      case "bearer" -> tokens.verify(credentials);
      case "basic" -> {
        String decoded = decode(credentials);
        int colon = decoded == null ? -1 : decoded.indexOf(':');
        yield decoded == null || colon < 0
            ? Optional.empty()
            : users.verify(decoded.substring(0, colon), decoded.substring(colon + 1));
      }
      default -> Optional.empty();
    };
  }

  private static @Nullable String decode(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static void refuse(
      HttpServletRequest request,
      HttpServletResponse response,
      ProblemWriter problems,
      String detail)
      throws IOException {
    response.addHeader("WWW-Authenticate", "Bearer realm=\"varve\"");
    response.addHeader("WWW-Authenticate", "Basic realm=\"varve\", charset=\"UTF-8\"");
    problems.write(request, response, Problem.of(HttpStatus.UNAUTHORIZED, detail));
  }
}
