package dev.varve.bench.index;

import com.zaxxer.hikari.HikariDataSource;
import dev.varve.catalog.store.EmbeddedDatabase;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/** A catalog's database, with a pool of connections as the service has one. */
final class BenchDatabase implements AutoCloseable {
  private final DataSource dataSource;
  private final AutoCloseable closing;

  private BenchDatabase(DataSource dataSource, AutoCloseable closing) {
    this.dataSource = dataSource;
    this.closing = closing;
  }

  /**
   * H2 in a file, as the service opens its own, but it must not answer a statement from the result
   * of the last one.
   */
  static BenchDatabase h2(Path folder) {
    JdbcConnectionPool pool =
        JdbcConnectionPool.create(
            EmbeddedDatabase.url(folder.resolve("catalog")) + ";OPTIMIZE_REUSE_RESULTS=0",
            "sa",
            "");
    return new BenchDatabase(pool, pool::dispose);
  }

  /** A PostgreSQL of our own in a folder, started and stopped with the benchmark. */
  static BenchDatabase postgres(Path folder) {
    try {
      EmbeddedPostgres server =
          EmbeddedPostgres.builder()
              .setOverrideWorkingDirectory(folder.toFile())
              .setDataDirectory(folder.resolve("data").toFile())
              .setCleanDataDirectory(false)
              .start();
      HikariDataSource pool = pool(server.getJdbcUrl("postgres", "postgres"));
      return new BenchDatabase(
          pool,
          () -> {
            pool.close();
            server.close();
          });
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start PostgreSQL in " + folder, e);
    }
  }

  /** A database that runs elsewhere. */
  static BenchDatabase at(String jdbcUrl) {
    HikariDataSource pool = pool(jdbcUrl);
    return new BenchDatabase(pool, pool);
  }

  private static HikariDataSource pool(String jdbcUrl) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(jdbcUrl);
    pool.addDataSourceProperty("prepareThreshold", "-1");
    return pool;
  }

  DataSource dataSource() {
    return dataSource;
  }

  @Override
  public void close() {
    try {
      closing.close();
    } catch (Exception e) {
      throw new IllegalStateException("cannot close the database", e);
    }
  }
}
