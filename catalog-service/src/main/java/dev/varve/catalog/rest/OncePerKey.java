package dev.varve.catalog.rest;

import dev.varve.catalog.request.RepeatedRequestException;
import dev.varve.catalog.request.RequestKey;
import dev.varve.catalog.table.JdbcTableCatalog;
import dev.varve.catalog.table.RequestKeys;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.UnprocessableEntityException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.ResponseEntity;

/**
 * Makes the change of a request with an Idempotency-Key once. The key is stored by the transaction
 * that makes the change, so whoever comes again with it is told the outcome as it stands now, also
 * after a lost answer, on another node or after a restart. Safe for concurrent use.
 */
public final class OncePerKey {
  static final String HEADER = "Idempotency-Key";

  /** How long a key is known; clients do not retry for longer. */
  static final Duration LIFETIME = Duration.ofHours(24);

  private static final Logger LOG = LoggerFactory.getLogger(OncePerKey.class);
  private static final Duration CLEAN_EVERY = Duration.ofMinutes(10);

  private final JdbcTableCatalog catalog;
  private final RequestKeys keys;
  private final Clock clock;
  private final RestReply reply;
  private final AtomicLong cleanAtMillis = new AtomicLong();

  public OncePerKey(JdbcTableCatalog catalog, RequestKeys keys, Clock clock) {
    this.catalog = catalog;
    this.keys = keys;
    this.clock = clock;
    this.reply = new RestReply(new RestJson());
  }

  /**
   * @param key the header; without one the change is made
   * @param request what the key stands for: operation, resource, body
   * @param change answers with the change made through the catalog that it is given
   * @param outcome answers when the change is done already
   */
  ResponseEntity<byte[]> run(
      @Nullable String key,
      Request request,
      Function<JdbcTableCatalog, ResponseEntity<byte[]>> change,
      Supplier<ResponseEntity<byte[]>> outcome) {
    if (key == null) {
      return change.apply(catalog);
    }
    try {
      RequestKey named = new RequestKey(uuid(key), request.digest(), clock.millis());
      if (isDone(named)) {
        return outcome.get();
      }
      try {
        return change.apply(catalog.forRequest(named));
      } catch (RepeatedRequestException e) {
        return isDone(named) ? outcome.get() : reply.error(e);
      } finally {
        clean();
      }
    } catch (RuntimeException e) {
      return reply.error(e);
    }
  }

  /** {@link #run} of a change that has no answer but that it is done. */
  ResponseEntity<byte[]> noContent(
      @Nullable String key, Request request, Consumer<JdbcTableCatalog> change) {
    return run(
        key,
        request,
        target -> reply.noContent(() -> change.accept(target)),
        () -> reply.noContent(() -> {}));
  }

  private boolean isDone(RequestKey key) {
    Optional<String> done = keys.find(key.key());
    if (done.isPresent() && !done.get().equals(key.request())) {
      throw new UnprocessableEntityException(
          "%s %s was used for another request", HEADER, key.key());
    }
    return done.isPresent();
  }

  private void clean() {
    long now = clock.millis();
    long due = cleanAtMillis.get();
    if (now < due || !cleanAtMillis.compareAndSet(due, now + CLEAN_EVERY.toMillis())) {
      return;
    }
    try {
      keys.forgetBefore(now - LIFETIME.toMillis());
    } catch (RuntimeException e) {
      LOG.warn("old request keys could not be removed; the next attempt follows", e);
    }
  }

  private static String uuid(String key) {
    try {
      UUID parsed = UUID.fromString(key);
      if (parsed.toString().equalsIgnoreCase(key)) {
        return parsed.toString();
      }
    } catch (IllegalArgumentException e) {
      LOG.debug("not a UUID", e);
    }
    throw new BadRequestException("%s '%s' is not a UUID", HEADER, key);
  }

  /**
   * What a key is used for.
   *
   * @param operation the method and what it is about
   */
  record Request(String operation, byte[] body) {
    private static final byte[] NO_BODY = {};

    Request(String operation) {
      this(operation, NO_BODY);
    }

    String digest() {
      var sha256 = Digests.sha256();
      sha256.update(operation.getBytes(StandardCharsets.UTF_8));
      sha256.update((byte) 0);
      return HexFormat.of().formatHex(sha256.digest(body));
    }
  }
}
