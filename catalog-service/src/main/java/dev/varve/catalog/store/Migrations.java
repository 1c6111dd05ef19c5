package dev.varve.catalog.store;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Brings the catalog's tables to this version; one history for PostgreSQL and H2. Running again, or
 * after a framework ran the same migrations, changes nothing.
 */
public final class Migrations {
  private Migrations() {}

  public static void run(DataSource dataSource) {
    try {
      Flyway.configure(Migrations.class.getClassLoader())
          .dataSource(dataSource)
          .locations("classpath:db/migration")
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new VarveException(
          ErrorCode.IO_ERROR,
          "cannot prepare the tables of the catalog database: " + e.getMessage(),
          e);
    }
  }
}
