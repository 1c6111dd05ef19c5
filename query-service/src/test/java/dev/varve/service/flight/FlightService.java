package dev.varve.service.flight;

import dev.varve.service.home.ConfigurationFile;
import dev.varve.service.home.Home;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.process.VarveProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** A whole Varve in this process, and JDBC connections to its Flight SQL. */
final class FlightService implements AutoCloseable {
  private final VarveProcess process;
  private final String password;
  private final Home home;

  FlightService(Path directory, ServiceConfiguration configuration) {
    home = new Home(directory.resolve("home"));
    process =
        VarveProcess.start(
            new VarveProcess.Options(home, configuration.withPort(0), false, true, false));
    password = process.administratorPassword().orElseThrow();
  }

  FlightService(Path directory) {
    this(
        directory,
        ConfigurationFile.read(new Home(directory.resolve("home")).create().configuration()));
  }

  VarveProcess process() {
    return process;
  }

  Home home() {
    return home;
  }

  String url() {
    return process.jdbcUrl().orElseThrow();
  }

  String password() {
    return password;
  }

  String token() {
    return process.server().token();
  }

  /** As the administrator, by password. */
  Connection connect(String... properties) throws SQLException {
    return connectTo(url(), password, properties);
  }

  static Connection connectTo(String url, String password, String... properties)
      throws SQLException {
    Properties all = new Properties();
    all.setProperty("user", "admin");
    all.setProperty("password", password);
    for (int i = 0; i < properties.length; i += 2) {
      all.setProperty(properties[i], properties[i + 1]);
    }
    return DriverManager.getConnection(url, all);
  }

  Connection connectWithToken(String token) throws SQLException {
    Properties all = new Properties();
    all.setProperty("token", token);
    return DriverManager.getConnection(url(), all);
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static List<List<Object>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows(rows);
    }
  }

  static List<List<Object>> rows(ResultSet rows) throws SQLException {
    List<List<Object>> all = new ArrayList<>();
    while (rows.next()) {
      List<Object> row = new ArrayList<>();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        row.add(rows.getObject(i));
      }
      all.add(row);
    }
    return all;
  }

  @Override
  public void close() {
    process.close();
  }
}
