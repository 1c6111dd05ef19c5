package dev.varve.service.postgres;

import dev.varve.engine.batch.Batch;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement with its values, run in portions as its client asks for them. Confined to the
 * connection's thread.
 */
final class Portal implements AutoCloseable {
  private final Statements.Prepared prepared;
  private final List<@Nullable Object> values;
  private final RowEncoder encoder;
  private @Nullable Answer answer;
  private RowEncoder.@Nullable Rows rows;
  private int at;
  private long sent;
  private boolean ended;

  Portal(Statements.Prepared prepared, List<@Nullable Object> values, RowEncoder encoder) {
    this.prepared = prepared;
    this.values = values;
    this.encoder = encoder;
  }

  /** Of a statement that runs already. */
  static Portal of(String sql, Answer answer, RowEncoder encoder) {
    Portal portal =
        new Portal(
            new Statements.Prepared(
                sql, Statements.Target.ENGINE, new int[0], encoder.schema(), null),
            List.of(),
            encoder);
    portal.answer = answer;
    return portal;
  }

  Statements.Prepared prepared() {
    return prepared;
  }

  RowEncoder encoder() {
    return encoder;
  }

  /** Starts it, if it has not been; what it answers is then known to who cancels. */
  Answer start(Statements statements) throws IOException {
    Answer started = answer;
    if (started == null) {
      started = statements.run(prepared, values);
      answer = started;
    }
    return started;
  }

  /**
   * Sends rows.
   *
   * @param limit 0 for all
   * @return true at the end, false if there may be more
   */
  boolean send(Answer started, long limit, WireOutput out) throws IOException {
    long left = limit == 0 ? Long.MAX_VALUE : limit;
    while (!ended) {
      RowEncoder.Rows ready = rows;
      if (ready == null || at == ready.count()) {
        Batch batch = started.next();
        if (batch == null) {
          ended = true;
          break;
        }
        ready = encoder.rows(batch);
        rows = ready;
        at = 0;
      }
      while (at < ready.count()) {
        if (left-- == 0) {
          return false;
        }
        ready.write(at++, out);
        sent++;
      }
    }
    rows = null;
    return true;
  }

  String tag(Answer started) {
    return started.tag(sent);
  }

  @Override
  public void close() {
    Answer started = answer;
    if (started != null && !ended) {
      started.cancel(
          new VarveException(ErrorCode.QUERY_CANCELED, "the client closed the query's portal"));
    }
    ended = true;
    rows = null;
  }
}
