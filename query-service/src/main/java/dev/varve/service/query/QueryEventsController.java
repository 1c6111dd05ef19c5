package dev.varve.service.query;

import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.query.QueryController.QueryStatus;
import dev.varve.service.security.Principals;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.MediaType;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * A query's progress as server-sent events: {@code status} whenever it has changed, {@code end} as
 * the last one. Who listens keeps the query from being taken for abandoned.
 */
@RestController
@RequestMapping("/api/v1/queries")
final class QueryEventsController {
  private static final int MAX_LISTENERS = 256;
  private static final int MIN_INTERVAL_MILLIS = 50;
  private static final int MAX_INTERVAL_MILLIS = 60_000;
  private static final Duration SILENCE = Duration.ofSeconds(15);

  private final QueryService queries;
  private final AtomicInteger listeners = new AtomicInteger();

  QueryEventsController(QueryService queries) {
    this.queries = queries;
  }

  /**
   * @param intervalMillis the least time between two events
   */
  @GetMapping(path = "/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  SseEmitter events(
      @PathVariable String id,
      @RequestParam(defaultValue = "500") int intervalMillis,
      Authentication authentication) {
    if (intervalMillis < MIN_INTERVAL_MILLIS || intervalMillis > MAX_INTERVAL_MILLIS) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "intervalMillis is from " + MIN_INTERVAL_MILLIS + " to " + MAX_INTERVAL_MILLIS);
    }
    Principal asker = Principals.of(authentication);
    ClientQuery query = queries.find(asker, id);
    if (listeners.incrementAndGet() > MAX_LISTENERS) {
      listeners.decrementAndGet();
      throw new VarveException(
          ErrorCode.TOO_MANY_QUERIES,
          MAX_LISTENERS + " clients listen to events, which is the limit");
    }
    SseEmitter emitter = new SseEmitter(0L);
    // A platform thread: virtual ones wait behind queries that keep their carriers busy.
    Thread.ofPlatform()
        .daemon()
        .name("events-" + id)
        .start(
            () -> {
              try {
                tell(query, emitter, intervalMillis);
                emitter.complete();
              } catch (IOException | IllegalStateException e) {
                // The client has gone; the container has ended the answer.
              } catch (InterruptedException e) {
                emitter.completeWithError(e);
              } finally {
                listeners.decrementAndGet();
              }
            });
    return emitter;
  }

  private static void tell(ClientQuery query, SseEmitter emitter, int intervalMillis)
      throws IOException, InterruptedException {
    QueryRecord told = null;
    long toldAt = System.nanoTime();
    while (true) {
      boolean last = query.hasEnded();
      QueryRecord now = query.record();
      query.asked();
      if (last || !now.equals(told)) {
        emitter.send(
            SseEmitter.event()
                .name(last ? "end" : "status")
                .data(QueryStatus.of(now, null, null), MediaType.APPLICATION_JSON));
        told = now;
        toldAt = System.nanoTime();
      } else if (System.nanoTime() - toldAt > SILENCE.toNanos()) {
        emitter.send(SseEmitter.event().comment("still running"));
        toldAt = System.nanoTime();
      }
      if (last) {
        return;
      }
      query.awaitEnd(Duration.ofMillis(intervalMillis));
    }
  }
}
