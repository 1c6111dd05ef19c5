package dev.varve.service.flight;

import com.google.protobuf.ByteString;
import dev.varve.engine.PreparedStatement;
import dev.varve.engine.Session;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.query.ClientQuery;
import dev.varve.service.query.QueryService;
import dev.varve.service.query.ResultBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.flight.FlightProducer.CallContext;
import org.jspecify.annotations.Nullable;

/**
 * A statement that was started for a Flight client, and the time zone its session had then. A
 * client knows it by its handle, {@code query zone}, which only its user can do anything with.
 */
record Execution(ClientQuery query, ZoneId zone, @Nullable Session session) {
  private static final Duration POLL = Duration.ofMillis(PacedStream.POLL_MILLIS);
  private static final int UPDATE_ROWS = 1024;
  private static final long UPDATE_BYTES = 1L << 20;

  /** The statements after which the client is to come back to the same session. */
  private static final Set<String> CHANGES_SESSION = Set.of("SET", "RESET", "USE");

  /** The statements that answer how many rows they have written. */
  private static final Set<String> COUNTS_ROWS = Set.of("INSERT", "COPY", "CREATE TABLE AS");

  static Execution start(QueryService queries, Session session, String sql) {
    return new Execution(queries.execute(session, sql), zone(session), session);
  }

  /** In the session of the call, if its client holds one by now; where it was prepared, if not. */
  static Execution start(
      QueryService queries,
      CallerMiddleware caller,
      PreparedStatements.Entry entry,
      List<@Nullable Object> values) {
    Session session = caller.hasSession() ? caller.session() : entry.session();
    PreparedStatement statement =
        session == entry.session()
            ? entry.statement()
            : queries.prepare(session, entry.statement().sql());
    return new Execution(
        queries.execute(caller.principal(), statement, values), zone(session), session);
  }

  static Execution find(QueryService queries, CallerMiddleware caller, ByteString handle) {
    String[] parts = handle.toStringUtf8().split(" ", 2);
    try {
      return new Execution(
          queries.find(caller.principal(), parts[0]),
          ZoneId.of(parts.length == 2 ? parts[1] : ""),
          null);
    } catch (DateTimeException e) {
      throw new VarveException(ErrorCode.INVALID_PARAMETER, "not a ticket of this server");
    }
  }

  static ZoneId zone(Session session) {
    return session.settings().get(EngineSettings.TIME_ZONE);
  }

  ByteString handle() {
    return ByteString.copyFromUtf8(query.id() + " " + zone.getId());
  }

  /** Waits for the columns of the result; a client that does not wait any more cancels it. */
  Schema awaitSchema(CallContext context) throws InterruptedException {
    while (true) {
      Optional<Schema> schema = query.schema(POLL);
      if (schema.isPresent()) {
        keepSession(context);
        return schema.get();
      }
      cancelIfGone(context);
    }
  }

  /** Waits for the end; answers how many rows were written, 0 for what writes none. */
  long runToEnd(CallContext context) throws InterruptedException {
    long rows = 0;
    long token = 0;
    while (token >= 0) {
      ResultBuffer.Page page = query.fetch(token, UPDATE_ROWS, UPDATE_BYTES, POLL);
      if (COUNTS_ROWS.contains(query.statementTag().orElse(""))) {
        for (Batch batch : page.batches()) {
          rows += written(batch);
        }
      }
      token = page.next();
      cancelIfGone(context);
    }
    keepSession(context);
    return rows;
  }

  private static long written(Batch batch) {
    long rows = 0;
    if (batch.columns().size() == 1 && batch.schema().type(0).equals(DataType.BIGINT)) {
      for (int row = 0; row < batch.rowCount(); row++) {
        rows += batch.column(0).value(row) instanceof Long count ? count : 0;
      }
    }
    return rows;
  }

  private void keepSession(CallContext context) {
    if (session != null && CHANGES_SESSION.contains(query.statementTag().orElse(""))) {
      CallerMiddleware.of(context).keep(session);
    }
  }

  private void cancelIfGone(CallContext context) {
    if (context.isCancelled()) {
      VarveException gone = FlightErrors.gone();
      query.cancel(gone);
      throw gone;
    }
  }
}
