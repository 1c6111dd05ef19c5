package dev.varve.service.security;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.home.Home;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Bearer tokens for programs. A token is 256 random bits, so a plain SHA-256 of it is what is kept;
 * it acts as the user who made it until it expires or is deleted. One more token, of the local
 * user, lives as long as the process. Safe for concurrent use.
 */
public final class Tokens {
  /** A token as it can be listed: without its secret. */
  public record Token(String id, String name, String user, Instant expiresAt) {}

  /** A new token with its secret, which is told once. */
  public record NewToken(Token token, String secret) {}

  private record Entry(Token token, Set<String> roles, byte[] hash) {}

  private static final int MAX_TOKENS = 10_000;
  private static final String PREFIX = "varve_";

  private final SecretFile file;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final String localSecret = secret();
  private final byte[] localHash = hash(localSecret);
  private List<Entry> entries = new ArrayList<>();

  public Tokens(Home home, Clock clock) {
    this.file = new SecretFile(home.security().resolve("tokens"), 6);
    this.clock = clock;
    for (String[] line : file.read()) {
      Token token =
          new Token(line[0], line[1], line[2], Instant.ofEpochSecond(Long.parseLong(line[4])));
      entries.add(new Entry(token, Set.of(line[3].split(",")), HexFormat.of().parseHex(line[5])));
    }
  }

  /** The token of this process's own user; it is an administrator's. */
  public String localSecret() {
    return localSecret;
  }

  Optional<Users.User> verify(String secret) {
    byte[] hash = hash(secret);
    if (MessageDigest.isEqual(hash, localHash)) {
      return Optional.of(new Users.User(Principals.ADMIN, Set.of(Principals.ADMIN)));
    }
    Instant now = clock.instant();
    return snapshot().stream()
        .filter(e -> MessageDigest.isEqual(e.hash(), hash) && e.token().expiresAt().isAfter(now))
        .map(e -> new Users.User(e.token().user(), e.roles()))
        .findFirst();
  }

  synchronized NewToken create(Users.User user, String name, Duration lifetime) {
    if (!name.matches("[\\w .@-]{1,100}")) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "a token's name has 1 to 100 letters, digits, spaces and . @ _ -");
    }
    if (entries.size() >= MAX_TOKENS) {
      throw new VarveException(
          ErrorCode.TOO_MANY_QUERIES, "there are " + MAX_TOKENS + " tokens, which is the limit");
    }
    byte[] id = new byte[6];
    random.nextBytes(id);
    Token token =
        new Token(HexFormat.of().formatHex(id), name, user.name(), clock.instant().plus(lifetime));
    String secret = secret();
    List<Entry> changed = new ArrayList<>(entries);
    changed.add(new Entry(token, user.roles(), hash(secret)));
    store(changed);
    return new NewToken(token, secret);
  }

  List<Token> list(String user) {
    return snapshot().stream().map(Entry::token).filter(t -> t.user().equals(user)).toList();
  }

  synchronized void delete(String user, String id) {
    List<Entry> changed = new ArrayList<>(entries);
    if (!changed.removeIf(e -> e.token().id().equals(id) && e.token().user().equals(user))) {
      throw new VarveException(ErrorCode.NOT_FOUND, "no token '" + id + "'");
    }
    store(changed);
  }

  private synchronized List<Entry> snapshot() {
    return List.copyOf(entries);
  }

  private void store(List<Entry> changed) {
    try {
      file.write(
          changed.stream()
              .map(
                  e ->
                      new String[] {
                        e.token().id(),
                        e.token().name(),
                        e.token().user(),
                        String.join(",", e.roles()),
                        String.valueOf(e.token().expiresAt().getEpochSecond()),
                        HexFormat.of().formatHex(e.hash())
                      })
              .toList());
    } catch (IOException e) {
      throw new VarveException(ErrorCode.IO_ERROR, "the token cannot be stored", e);
    }
    entries = changed;
  }

  private String secret() {
    byte[] bits = new byte[32];
    random.nextBytes(bits);
    return PREFIX + HexFormat.of().formatHex(bits);
  }

  static byte[] hash(String secret) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
