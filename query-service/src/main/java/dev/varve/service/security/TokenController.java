package dev.varve.service.security;

import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A user's own bearer tokens. */
@RestController
@RequestMapping("/api/v1/tokens")
final class TokenController {
  private static final int MAX_DAYS = 366;
  private static final int DEFAULT_DAYS = 90;

  record TokenRequest(@Nullable String name, @Nullable Integer days) {}

  record CreatedToken(String id, String name, Instant expiresAt, String token) {}

  private final Tokens tokens;

  TokenController(Tokens tokens) {
    this.tokens = tokens;
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  CreatedToken create(@RequestBody TokenRequest request, Authentication authentication) {
    String name = request.name();
    Integer asked = request.days();
    int days = asked == null ? DEFAULT_DAYS : asked;
    if (name == null || days < 1 || days > MAX_DAYS) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "a token needs a \"name\", and \"days\" from 1 to " + MAX_DAYS);
    }
    Principal principal = Principals.of(authentication);
    Tokens.NewToken created =
        tokens.create(
            new Users.User(principal.name(), principal.roles()), name, Duration.ofDays(days));
    return new CreatedToken(
        created.token().id(), name, created.token().expiresAt(), created.secret());
  }

  @GetMapping
  List<Tokens.Token> list(Authentication authentication) {
    return tokens.list(authentication.getName());
  }

  @DeleteMapping("/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable String id, Authentication authentication) {
    tokens.delete(authentication.getName(), id);
  }
}
