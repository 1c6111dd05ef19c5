package dev.varve.catalog;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Loses the connection at the next commit of a transaction that wrote, before or after it. */
final class LossyDataSource implements DataSource {
  private static final long LATE_MILLIS = 400;

  private enum Mode {
    WELL,
    LOSE_AFTER,
    LOSE_BEFORE,
    LOSE_BEFORE_ONCE,
    LATE,
    AWAY
  }

  private final DataSource inner;
  private volatile Mode mode = Mode.WELL;
  private volatile boolean fired;

  LossyDataSource(DataSource inner) {
    this.inner = inner;
  }

  /** The commit is done, but its answer does not arrive. */
  void loseAfterCommit() {
    mode = Mode.LOSE_AFTER;
  }

  /** The commit is not done, nobody can know, and the database cannot be asked afterwards. */
  void loseBeforeCommitAndStayAway() {
    mode = Mode.LOSE_BEFORE;
  }

  /** The commit is not done, which can be found out at once. */
  void loseBeforeCommit() {
    mode = Mode.LOSE_BEFORE_ONCE;
  }

  /** The connection is lost while the database is about to commit: that takes it some time. */
  void commitLate() {
    mode = Mode.LATE;
  }

  private void late(Connection connection) {
    Thread.ofPlatform()
        .start(
            () -> {
              try (connection) {
                Thread.sleep(LATE_MILLIS);
                connection.commit();
              } catch (SQLException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  boolean fired() {
    return fired;
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (mode == Mode.AWAY) {
      throw lost();
    }
    Connection connection = inner.getConnection();
    boolean[] handedOver = {false};
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit") && mode != Mode.WELL) {
                fired = true;
                Mode now = mode;
                mode = now == Mode.LOSE_BEFORE ? Mode.AWAY : Mode.WELL;
                switch (now) {
                  case LOSE_AFTER -> connection.commit();
                  case LATE -> {
                    handedOver[0] = true;
                    late(connection);
                  }
                  default -> connection.rollback();
                }
                throw lost();
              }
              if (handedOver[0]) {
                return null;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static SQLException lost() {
    return new SQLNonTransientConnectionException("the connection is lost", "08006");
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public PrintWriter getLogWriter() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return inner.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return inner.isWrapperFor(type);
  }
}
