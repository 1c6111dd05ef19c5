package dev.varve.catalog.store;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/** The catalog's own H2 database in a file, open until it is closed or its process ends. */
public final class EmbeddedDatabase implements AutoCloseable {
  private static final int CONNECTIONS = 32;

  private final JdbcConnectionPool pool;

  private EmbeddedDatabase(JdbcConnectionPool pool) {
    this.pool = pool;
  }

  /**
   * The address of a database file (without its {@code .mv.db}). WRITE_DELAY=0: a commit is on disk
   * when it returns. The async file system survives interrupts of the threads that use it, which
   * would close H2's default channel and the database with it.
   */
  public static String url(Path file) {
    return "jdbc:h2:async:"
        + file.toAbsolutePath()
        + ";WRITE_DELAY=0;LOCK_TIMEOUT=10000;DB_CLOSE_ON_EXIT=FALSE";
  }

  /** Opens a database file, which is made when it is not there. */
  public static EmbeddedDatabase open(Path file) {
    JdbcConnectionPool pool = JdbcConnectionPool.create(url(file), "sa", "");
    pool.setMaxConnections(CONNECTIONS);
    return new EmbeddedDatabase(pool);
  }

  public DataSource dataSource() {
    return pool;
  }

  @Override
  public void close() {
    pool.dispose();
  }
}
