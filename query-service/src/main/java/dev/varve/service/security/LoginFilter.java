package dev.varve.service.security;

import dev.varve.engine.port.Principal;
import dev.varve.service.web.Problem;
import dev.varve.service.web.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Every way to log in over HTTP: a bearer token, or name and password. Wrong credentials are
 * refused at once, also where none were needed.
 */
final class LoginFilter extends OncePerRequestFilter {
  private final Authenticator authenticator;
  private final ProblemWriter problems;

  LoginFilter(Authenticator authenticator, ProblemWriter problems) {
    this.authenticator = authenticator;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String header = request.getHeader("Authorization");
    Optional<Principal> principal;
    if (header != null) {
      principal = authenticator.verify(header);
      if (principal.isEmpty()) {
        refuse(request, response, problems, "wrong credentials");
        return;
      }
    } else {
      principal = authenticator.withoutCredentials(InetAddress.ofLiteral(request.getRemoteAddr()));
    }
    if (principal.isPresent()) {
      SecurityContext context = SecurityContextHolder.createEmptyContext();
      context.setAuthentication(
          Principals.authenticated(principal.get().name(), principal.get().roles()));
      SecurityContextHolder.setContext(context);
    }
    chain.doFilter(request, response);
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
