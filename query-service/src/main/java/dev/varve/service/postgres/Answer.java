package dev.varve.service.postgres;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.query.ClientQuery;
import dev.varve.service.query.ResultBuffer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a statement answers, whoever runs it: columns, batches, and how it is called at the end. */
interface Answer {
  /** Empty columns for a statement without rows. */
  Schema schema() throws IOException;

  /** Null after the last. */
  @Nullable Batch next() throws IOException;

  /** With the number of rows that were sent. */
  String tag(long rows);

  /** Whether it has written something that lasts. */
  default boolean wrote() {
    return false;
  }

  void cancel(VarveException reason);

  /** An answer that is there. */
  record Ready(Schema schema, List<Batch> batches, String name, ArrayDeque<Batch> left)
      implements Answer {
    static Ready of(String tag) {
      return new Ready(Schema.EMPTY, List.of(), tag, new ArrayDeque<>());
    }

    static Ready rows(String tag, Batch batch) {
      return new Ready(batch.schema(), List.of(batch), tag, new ArrayDeque<>(List.of(batch)));
    }

    @Override
    public @Nullable Batch next() {
      return left.poll();
    }

    @Override
    public String tag(long rows) {
      return name.equals("SELECT") ? "SELECT " + rows : name;
    }

    @Override
    public void cancel(VarveException reason) {}
  }

  /** A query of the engine, which is cancelled if its client goes away. */
  final class Running implements Answer {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long PAGE_BYTES = 1L << 20;
    private static final Set<String> WRITES =
        Set.of(
            "INSERT",
            "COPY",
            "CREATE TABLE AS",
            "CREATE TABLE",
            "CREATE VIEW",
            "CREATE SCHEMA",
            "DROP TABLE",
            "DROP VIEW",
            "DROP SCHEMA",
            "CALL",
            "ANALYZE");
    private static final Set<String> COUNTS = Set.of("INSERT", "COPY", "CREATE TABLE AS");

    /** Asked while there is nothing to send. */
    interface Client {
      boolean isGone() throws IOException;
    }

    private final ClientQuery query;
    private final Client client;
    private final ArrayDeque<Batch> batches = new ArrayDeque<>();
    private long token;
    private long written;
    private @Nullable Schema schema;

    Running(ClientQuery query, Client client) {
      this.query = query;
      this.client = client;
    }

    private String name() {
      return query.statementTag().orElse("");
    }

    private boolean counts() {
      return COUNTS.contains(name());
    }

    @Override
    public Schema schema() throws IOException {
      Schema known = schema;
      while (known == null) {
        try {
          Optional<Schema> found = query.schema(POLL);
          if (found.isPresent()) {
            known = counts() ? Schema.EMPTY : found.get();
            schema = known;
          } else {
            cancelIfGone();
          }
        } catch (InterruptedException e) {
          throw interrupted();
        }
      }
      return known;
    }

    @Override
    public @Nullable Batch next() throws IOException {
      schema();
      while (batches.isEmpty() && token >= 0) {
        try {
          ResultBuffer.Page page = query.fetch(token, Integer.MAX_VALUE, PAGE_BYTES, POLL);
          if (counts()) {
            page.batches().forEach(this::count);
          } else {
            batches.addAll(page.batches());
          }
          token = page.next();
          if (page.batches().isEmpty() && token >= 0) {
            cancelIfGone();
          }
        } catch (InterruptedException e) {
          throw interrupted();
        }
      }
      if (batches.isEmpty()) {
        query.discardResults(
            new VarveException(ErrorCode.NOT_FOUND, "the query's results were fetched already"));
      }
      return batches.poll();
    }

    private VarveException interrupted() {
      Thread.currentThread().interrupt();
      VarveException reason =
          new VarveException(ErrorCode.SHUTTING_DOWN, "the connection is being closed");
      query.cancel(reason);
      return reason;
    }

    private void count(Batch batch) {
      if (batch.columns().size() == 1 && batch.schema().type(0).equals(DataType.BIGINT)) {
        for (int row = 0; row < batch.rowCount(); row++) {
          written += batch.column(0).value(row) instanceof Long rows ? rows : 0;
        }
      }
    }

    private void cancelIfGone() throws IOException {
      if (client.isGone()) {
        cancel(new VarveException(ErrorCode.QUERY_CANCELED, "the client went away"));
        throw new IOException("the client has gone");
      }
    }

    @Override
    public String tag(long rows) {
      return switch (name()) {
        case "INSERT" -> "INSERT 0 " + written;
        case "CREATE TABLE AS" -> "SELECT " + written;
        case "COPY" -> "COPY " + written;
        case "SELECT" -> "SELECT " + rows;
        default -> name();
      };
    }

    @Override
    public boolean wrote() {
      return WRITES.contains(name());
    }

    @Override
    public void cancel(VarveException reason) {
      query.cancel(reason);
    }
  }
}
