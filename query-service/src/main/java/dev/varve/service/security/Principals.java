package dev.varve.service.security;

import dev.varve.engine.port.Principal;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** Between the login of a request and the principal of a statement. */
public final class Principals {
  public static final String ADMIN = "admin";

  private Principals() {}

  public static Principal of(Authentication authentication) {
    return new Principal(
        authentication.getName(),
        authentication.getAuthorities().stream()
            .map(GrantedAuthority::getAuthority)
            .filter(java.util.Objects::nonNull)
            .collect(Collectors.toSet()));
  }

  static Authentication authenticated(String name, Set<String> roles) {
    return UsernamePasswordAuthenticationToken.authenticated(
        name, null, roles.stream().map(SimpleGrantedAuthority::new).toList());
  }
}
