package dev.varve.catalog.store;

import dev.varve.catalog.request.RepeatedRequestException;
import dev.varve.catalog.request.RequestKey;
import dev.varve.catalog.store.TransactionFailure.Kind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs transactions. A transaction has three results: it committed ({@link #write} returns), it did
 * certainly not (any exception but the next), or nobody knows ({@link TransactionFailure} of kind
 * UNKNOWN): only a failing COMMIT can bring that about. Safe for concurrent use.
 */
public final class Database {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private final DataSource dataSource;
  private final @Nullable RequestKey key;
  private boolean keyWritten;

  /** Whether the transaction that runs writes the key. */
  private boolean keyPending;

  public Database(DataSource dataSource) {
    this(dataSource, null);
  }

  private Database(DataSource dataSource, @Nullable RequestKey key) {
    this.dataSource = dataSource;
    this.key = key;
  }

  /**
   * The same database for one request: its first transaction that commits stores the key with what
   * it does, and fails with {@link RepeatedRequestException} when the key is stored already.
   * Confined to one thread.
   */
  public Database forRequest(RequestKey requestKey) {
    return new Database(dataSource, requestKey);
  }

  /** Whether other processes may use the database: an embedded one belongs to its process. */
  public boolean isShared() {
    try (Connection connection = dataSource.getConnection()) {
      String url = String.valueOf(connection.getMetaData().getURL()).toLowerCase(Locale.ROOT);
      return !url.startsWith("jdbc:h2:")
          || url.startsWith("jdbc:h2:tcp:")
          || url.startsWith("jdbc:h2:ssl:")
          || url.contains("auto_server=true");
    } catch (SQLException e) {
      throw unavailable("read", e);
    }
  }

  /** What a transaction does. */
  @FunctionalInterface
  public interface Work<T extends @Nullable Object> {
    T run(Sql sql) throws SQLException;
  }

  /** Reads only; a failure is a {@link VarveException} of {@link ErrorCode#IO_ERROR}. */
  public <T extends @Nullable Object> T read(Work<T> work) {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        return work.run(new Sql(connection));
      } finally {
        rollback(connection);
      }
    } catch (SQLException e) {
      throw unavailable("read", e);
    }
  }

  /** One transaction, all or nothing. */
  @SuppressWarnings("Finally") // closing a connection must not hide how the transaction ended
  public <T extends @Nullable Object> T write(Work<T> work) {
    Connection connection;
    try {
      connection = dataSource.getConnection();
    } catch (SQLException e) {
      throw unavailable("write", e);
    }
    try {
      T result;
      try {
        connection.setAutoCommit(false);
        Sql sql = new Sql(connection);
        keyPending = false;
        result = key == null || keyWritten ? work.run(sql) : runOnce(sql, key, work);
      } catch (SQLException e) {
        rollback(connection);
        Kind kind = TransactionFailure.of(e);
        throw kind != null ? new TransactionFailure(kind, e) : unavailable("write", e);
      } catch (RuntimeException | Error e) {
        rollback(connection);
        throw e;
      }
      commit(connection);
      keyWritten |= keyPending;
      return result;
    } finally {
      close(connection);
    }
  }

  /** The key comes first, so that a second request with it waits, and goes if nothing changed. */
  private <T extends @Nullable Object> T runOnce(Sql sql, RequestKey request, Work<T> work)
      throws SQLException {
    writeKey(sql, request);
    long before = sql.changed();
    T result = work.run(sql);
    keyPending = sql.changed() > before;
    if (!keyPending) {
      sql.update("delete from lh_request where request_key = ?", request.key());
    }
    return result;
  }

  private static void writeKey(Sql sql, RequestKey key) throws SQLException {
    try {
      sql.update(
          "insert into lh_request(request_key, request, done_at_millis) values (?,?,?)",
          key.key(),
          key.request(),
          key.atMillis());
    } catch (SQLException e) {
      if (TransactionFailure.of(e) == Kind.DUPLICATE) {
        throw new RepeatedRequestException(key, e);
      }
      throw e;
    }
  }

  private static void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      // A database that says why it rolled back has rolled back.
      Kind kind = TransactionFailure.of(e);
      throw new TransactionFailure(kind != null ? kind : Kind.UNKNOWN, e);
    } catch (RuntimeException e) {
      throw new TransactionFailure(Kind.UNKNOWN, e);
    }
  }

  private static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      // The database rolls back what a lost connection left open.
      LOG.debug("rollback failed", e);
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("closing a connection failed", e);
    }
  }

  private static VarveException unavailable(String action, SQLException e) {
    return new VarveException(
        ErrorCode.IO_ERROR, "cannot " + action + " the catalog database: " + e.getMessage(), e);
  }
}
