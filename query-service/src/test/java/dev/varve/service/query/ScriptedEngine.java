package dev.varve.service.query;

import dev.varve.engine.PreparedStatement;
import dev.varve.engine.QueryEngine;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.QueryProgress;
import dev.varve.engine.Session;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.config.Settings;
import dev.varve.engine.port.Principal;
import dev.varve.engine.runtime.QueryState;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.SourcePosition;
import dev.varve.layout.error.VarveException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An engine whose statements do what the test says: {@code ROWS n} answers the numbers below n in
 * batches of 1000, and with {@code THEN FAIL} fails after them, {@code WAIT} answers nothing until
 * it is cancelled, {@code INSERT n} answers n and ends a while later, {@code FAIL} is wrong at line
 * 2, column 5, {@code BUG} throws what no statement should, {@code ECHO} answers its parameters as
 * text.
 */
public final class ScriptedEngine implements QueryEngine {
  static final int BATCH_ROWS = 1000;
  static final Schema NUMBERS = Schema.of(Field.of("n", DataType.BIGINT));

  final Map<String, Handle> handles = new ConcurrentHashMap<>();
  final List<String> statements = new java.util.concurrent.CopyOnWriteArrayList<>();

  @Override
  public Session openSession(Principal principal) {
    return new Session() {
      @Override
      public Principal principal() {
        return principal;
      }

      @Override
      public String catalog() {
        return "lake";
      }

      @Override
      public String schema() {
        return "default";
      }

      @Override
      public Settings settings() {
        return Settings.DEFAULTS;
      }

      @Override
      public PreparedStatement prepare(String sql) {
        // The service prepares nothing yet; a test that does is to fail here.
        throw new UnsupportedOperationException("the script has no prepared statements");
      }

      @Override
      public QueryHandle submit(String sql, List<@Nullable Object> parameters) {
        statements.add(sql);
        Handle handle = new Handle(sql, parameters);
        handles.put(handle.id(), handle);
        return handle;
      }
    };
  }

  @Override
  public void close() {}

  static Batch numbers(long from, int count) {
    ColumnBuilder column = ColumnBuilder.of(DataType.BIGINT, count);
    for (int i = 0; i < count; i++) {
      column.appendLong(from + i);
    }
    return new Batch(NUMBERS, List.of(column.build()), count);
  }

  static final class Handle implements QueryHandle {
    private final String id = UUID.randomUUID().toString();
    private final String sql;
    private final List<@Nullable Object> parameters;
    private final CountDownLatch canceled = new CountDownLatch(1);
    final CountDownLatch closed = new CountDownLatch(1);
    final AtomicInteger batchesGiven = new AtomicInteger();
    private long next;

    Handle(String sql, List<@Nullable Object> parameters) {
      this.sql = sql;
      this.parameters = parameters;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public String sql() {
      return sql;
    }

    @Override
    public QueryState state() {
      return QueryState.RUNNING;
    }

    @Override
    public Optional<String> statementTag() {
      String word = sql.split("\\s+", 2)[0];
      return Optional.of(word.equals("SET") || word.equals("INSERT") ? word : "SELECT");
    }

    @Override
    public Schema schema() {
      return switch (sql.split("\\s+", 2)[0]) {
        case "FAIL" ->
            throw new VarveException(
                ErrorCode.UNDEFINED_COLUMN,
                "column 'x' not found",
                new SourcePosition(2, 5),
                "did you mean 'y'?",
                null);
        case "BUG" -> throw new IllegalStateException("a secret detail\nof two lines");
        case "ECHO" -> Schema.of(Field.of("value", DataType.VARCHAR));
        case "SET", "USE" -> Schema.EMPTY;
        default -> NUMBERS;
      };
    }

    @Override
    public @Nullable Batch nextBatch() {
      if (canceled.getCount() == 0) {
        throw new VarveException(ErrorCode.QUERY_CANCELED, "the query was cancelled");
      }
      String[] words = sql.split("\\s+");
      return switch (words[0]) {
        case "WAIT" -> {
          try {
            canceled.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          throw new VarveException(ErrorCode.QUERY_CANCELED, "the query was cancelled");
        }
        case "ECHO" -> echo();
        case "INSERT" -> {
          if (next++ == 0) {
            yield numbers(Long.parseLong(words[1]), 1);
          }
          try {
            Thread.sleep(1000);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          yield null;
        }
        case "ROWS" -> {
          int count = (int) Math.min(BATCH_ROWS, Long.parseLong(words[1]) - next);
          if (count <= 0) {
            if (words.length > 2) {
              throw new VarveException(ErrorCode.DIVISION_BY_ZERO, "division by zero");
            }
            yield null;
          }
          batchesGiven.incrementAndGet();
          Batch batch = numbers(next, count);
          next += count;
          yield batch;
        }
        default -> null;
      };
    }

    private @Nullable Batch echo() {
      if (next++ > 0) {
        return null;
      }
      ColumnBuilder column = ColumnBuilder.of(DataType.VARCHAR, parameters.size());
      for (Object value : parameters) {
        if (value == null) {
          column.appendNull();
        } else {
          column.appendString(value.getClass().getSimpleName() + " " + value);
        }
      }
      return new Batch(schema(), List.of(column.build()), parameters.size());
    }

    @Override
    public QueryProgress progress() {
      return new QueryProgress(0, 1, 1000, 2, next, 0, 0, 0, 0, 0, 0, 0, 0, next, 0, 0);
    }

    @Override
    public Optional<Throwable> failure() {
      return Optional.empty();
    }

    @Override
    public Optional<String> planText() {
      return Optional.of("ScriptedExec: " + sql);
    }

    @Override
    public void cancel() {
      canceled.countDown();
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }
}
