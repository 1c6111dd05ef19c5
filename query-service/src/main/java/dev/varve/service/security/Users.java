package dev.varve.service.security;

import dev.varve.service.home.Home;
import dev.varve.service.home.StartFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * People and their passwords, kept as bcrypt hashes. Hashing is slow on purpose, so at most two run
 * at a time, and a password that was right is recognised for a few minutes by a keyed digest that
 * never leaves memory. Safe for concurrent use.
 */
public final class Users {
  /** A user's name and roles. */
  public record User(String name, Set<String> roles) {}

  private record Verified(byte[] digest, Instant until) {}

  private static final int COST = 12;
  private static final int PASSWORD_LENGTH = 20;

  /** What bcrypt looks at; it refuses more. */
  private static final int MAX_PASSWORD_BYTES = 72;

  private static final String ALPHABET = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  private static final Duration REMEMBERED = Duration.ofMinutes(5);

  private record Entry(String hash, Set<String> roles) {}

  private final SecretFile file;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final PasswordEncoder encoder = new BCryptPasswordEncoder(COST, random);
  private final byte[] digestKey = new byte[32];
  private final Semaphore hashing = new Semaphore(2);
  private final Map<String, Verified> verified = new ConcurrentHashMap<>();
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  public Users(Home home, Clock clock) {
    this.file = new SecretFile(home.security().resolve("users"), 3);
    this.clock = clock;
    random.nextBytes(digestKey);
    for (String[] line : file.read()) {
      entries.put(line[0], new Entry(line[1], Set.of(line[2].split(","))));
    }
  }

  /**
   * Creates the administrator if there is no user yet; answers the password, which is kept nowhere.
   */
  public Optional<String> createFirstAdministrator() {
    if (!entries.isEmpty()) {
      return Optional.empty();
    }
    String password = generate();
    String hash = String.valueOf(encoder.encode(password));
    try {
      file.write(List.<String[]>of(new String[] {"admin", hash, Principals.ADMIN}));
    } catch (IOException e) {
      throw new StartFailure("cannot write the file of users: " + e.getMessage(), e);
    }
    entries.put("admin", new Entry(hash, Set.of(Principals.ADMIN)));
    return Optional.of(password);
  }

  /** The user, if the password is right; an unknown name takes as long as a wrong password. */
  Optional<User> verify(String name, String password) {
    if (password.getBytes(StandardCharsets.UTF_8).length > MAX_PASSWORD_BYTES) {
      return Optional.empty();
    }
    Entry entry = entries.get(name);
    byte[] digest = digest(name, password);
    Verified known = verified.get(name);
    if (entry != null
        && known != null
        && known.until().isAfter(clock.instant())
        && MessageDigest.isEqual(known.digest(), digest)) {
      return Optional.of(new User(name, entry.roles()));
    }
    hashing.acquireUninterruptibly();
    boolean right;
    try {
      // For an unknown name a hash is computed too, so that both take equally long.
      right =
          entry == null
              ? encoder.encode(password) == null
              : encoder.matches(password, entry.hash());
    } finally {
      hashing.release();
    }
    if (!right || entry == null) {
      return Optional.empty();
    }
    verified.put(name, new Verified(digest, clock.instant().plus(REMEMBERED)));
    return Optional.of(new User(name, entry.roles()));
  }

  private byte[] digest(String name, String password) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(digestKey, "HmacSHA256"));
      mac.update(name.getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      return mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  private String generate() {
    StringBuilder password = new StringBuilder(PASSWORD_LENGTH);
    for (int i = 0; i < PASSWORD_LENGTH; i++) {
      password.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return password.toString();
  }
}
