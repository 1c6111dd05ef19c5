package dev.varve.service.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.process.WholeService;
import dev.varve.service.query.QueryService;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a program sees through PostgreSQL's JDBC driver. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresJdbcTest {
  private static final String MANY =
      "SELECT l_orderkey, l_extendedprice, l_shipmode, l_comment FROM tpch.sf10.lineitem";

  @TempDir static Path directory;
  private static WholeService service;
  private static String password;

  @BeforeAll
  static void start() throws Exception {
    service = new WholeService(directory.resolve("home"), ServiceConfiguration.DEFAULTS);
    password = service.createAdministrator();
    try (Connection connection = connect()) {
      // The generator makes its texts at first use, for seconds that nothing interrupts.
      rows(connection, "SELECT count(*) FROM tpch.sf0_01.lineitem");
      run(connection, "CREATE SCHEMA shop");
      run(
          connection,
          "CREATE TABLE shop.orders (id bigint NOT NULL, price decimal(12,2), day date,"
              + " note varchar)");
      run(connection, "CREATE VIEW shop.cheap AS SELECT id FROM shop.orders WHERE price < 10");
    }
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static Connection connect(String... properties) throws SQLException {
    return connectTo("lake", "admin", password, properties);
  }

  private static Connection connectTo(
      String database, String user, String secret, String... properties) throws SQLException {
    Properties all = new Properties();
    all.setProperty("user", user);
    all.setProperty("password", secret);
    for (int i = 0; i < properties.length; i += 2) {
      all.setProperty(properties[i], properties[i + 1]);
    }
    int port = service.part(PostgresEndpoint.class).port().orElseThrow();
    return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/" + database, all);
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<List<Object>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows(rows);
    }
  }

  private static List<List<Object>> rows(ResultSet rows) throws SQLException {
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

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  private static int running() {
    return service.part(QueryService.class).runningCount();
  }

  @Test
  void aQueryAnswersRowsWithTheirTypes() throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT o_orderkey, o_totalprice, o_orderdate AS \"The Day\""
                    + " FROM tpch.sf0_01.orders ORDER BY o_orderkey LIMIT 3")) {
      ResultSetMetaData columns = rows.getMetaData();
      assertThat(columns.getColumnTypeName(1)).isEqualTo("int8");
      assertThat(columns.getPrecision(2)).isEqualTo(15);
      assertThat(columns.getScale(2)).isEqualTo(2);
      assertThat(columns.getColumnLabel(3)).isEqualTo("The Day");
      assertThat(rows.next()).isTrue();
      assertThat(rows.getLong(1)).isEqualTo(1);
      assertThat(rows(rows)).hasSize(2);
    }
  }

  /** In text, and in binary as the driver does when a statement is used often. */
  @Test
  void everyTypeRoundTripsWithItsNullsInTextAndInBinary() throws Exception {
    for (String threshold : List.of("0", "-1")) {
      try (Connection connection = connect("prepareThreshold", threshold)) {
        String table = "types_" + threshold.replace("-", "m");
        run(
            connection,
            "CREATE TABLE "
                + table
                + " (id integer, b boolean, i integer, l bigint, r real, d double precision,"
                + " n9 decimal(9,2), n38 decimal(38,10), day date, t time, ts timestamp,"
                + " tz timestamp with time zone, v varchar, bin varbinary, u uuid)");
        LocalDateTime moment = LocalDateTime.parse("2026-11-30T21:59:58.123456");
        Object[] values = {
          1,
          true,
          Integer.MIN_VALUE,
          Long.MAX_VALUE,
          -1.5f,
          Math.PI,
          new BigDecimal("-1234567.89"),
          new BigDecimal("1234567890123456789012345678.0123456789"),
          LocalDate.parse("1969-07-20"),
          LocalTime.parse("23:59:58.123456"),
          moment,
          moment.atOffset(ZoneOffset.UTC),
          "ünï ☃ '",
          new byte[] {0, -1, 127},
          UUID.fromString("00112233-4455-6677-8899-aabbccddeeff")
        };
        try (PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO " + table + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
          for (int i = 0; i < values.length; i++) {
            insert.setObject(i + 1, values[i]);
          }
          assertThat(insert.executeUpdate()).isEqualTo(1);
          insert.setInt(1, 2);
          for (int i = 1; i < values.length; i++) {
            insert.setNull(i + 1, Types.NULL);
          }
          assertThat(insert.executeUpdate()).isEqualTo(1);
        }
        try (PreparedStatement select =
            connection.prepareStatement("SELECT * FROM " + table + " ORDER BY id")) {
          for (int times = 0; times < 2; times++) {
            try (ResultSet row = select.executeQuery()) {
              assertThat(row.next()).isTrue();
              for (int i = 0; i < values.length; i++) {
                if (values[i] instanceof byte[] bytes) {
                  assertThat(row.getBytes(i + 1)).isEqualTo(bytes);
                } else {
                  assertThat(row.getObject(i + 1, values[i].getClass()))
                      .as("column " + (i + 1))
                      .isEqualTo(values[i]);
                }
              }
              assertThat(row.next()).isTrue();
              for (int i = 1; i < values.length; i++) {
                assertThat(row.getObject(i + 1)).isNull();
              }
              assertThat(row.next()).isFalse();
            }
          }
        }
      }
    }
  }

  @Test
  void numbersOfAllSizesAreTheSameInTextAndInBinary() throws Exception {
    String sql =
        "SELECT 0.00, 1.0, -0.0001, 10000.0, 99999999.9999, 123456789012345678.000100,"
            + " CAST(-7 AS smallint), CAST('NaN' AS double precision), 1e30, 1e-7,"
            + " INTERVAL '26' HOUR, INTERVAL '14' MONTH";
    try (Connection text = connect("prepareThreshold", "0");
        Connection binary = connect("prepareThreshold", "-1")) {
      for (int times = 0; times < 3; times++) {
        try (PreparedStatement a = text.prepareStatement(sql);
            PreparedStatement b = binary.prepareStatement(sql);
            ResultSet left = a.executeQuery();
            ResultSet right = b.executeQuery()) {
          assertThat(rows(left)).isEqualTo(rows(right));
        }
      }
      assertThat(rows(text, sql).get(0).get(5))
          .isEqualTo(new BigDecimal("123456789012345678.000100"));
    }
  }

  @Test
  void updatesAnswerHowManyRowsTheyWrote() throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("CREATE TABLE counted (a integer, b varchar)")).isZero();
      assertThat(statement.executeUpdate("INSERT INTO counted VALUES (1, 'x'), (2, 'y')"))
          .isEqualTo(2);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO counted (b, a) VALUES (?, ?)")) {
        for (int i = 0; i < 3; i++) {
          insert.setString(1, "batch " + i);
          insert.setInt(2, i);
          insert.addBatch();
        }
        assertThat(insert.executeBatch()).containsExactly(1, 1, 1);
      }
      assertThat(rows(connection, "SELECT count(*) FROM counted")).containsExactly(List.of(5L));
    }
  }

  @Test
  void aParameterThatCouldBeAnythingIsWhatItsClientSays() throws Exception {
    try (Connection connection = connect();
        PreparedStatement query = connection.prepareStatement("SELECT ?, ?")) {
      query.setInt(1, 42);
      query.setString(2, "x");
      try (ResultSet rows = query.executeQuery()) {
        assertThat(rows(rows)).containsExactly(List.of(42, "x"));
      }
    }
  }

  @Test
  void errorsSayWhatAndWhereAndTheConnectionGoesOn() throws Exception {
    try (Connection connection = connect()) {
      assertThatThrownBy(() -> rows(connection, "SELECT n_nmae FROM tpch.sf0_01.nation"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42703"))
          .hasMessageContaining("n_nmae")
          .hasMessageContaining("Position: 8");
      assertThatThrownBy(
              () -> rows(connection, "SELECT 1 / (n_regionkey - 1) FROM tpch.sf0_01.nation"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22012"));
      assertThat(rows(connection, "SELECT 1")).containsExactly(List.of(1));
    }
  }

  @Test
  void aLargeResultIsFetchedInPortions() throws Exception {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(1000);
        try (ResultSet rows = statement.executeQuery(MANY + " LIMIT 20500")) {
          long count = 0;
          while (rows.next()) {
            count++;
          }
          assertThat(count).isEqualTo(20_500);
        }
        try (ResultSet rows = statement.executeQuery(MANY)) {
          assertThat(rows.next()).isTrue();
          assertThat(running()).isEqualTo(1);
        }
      }
      connection.commit();
      await("the portal is closed", () -> running() == 0);
    }
  }

  @Test
  void transactionsSayWhatTheyAreNot() throws Exception {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      assertThat(rows(connection, "SELECT 1")).containsExactly(List.of(1));
      connection.rollback();
      run(connection, "CREATE TABLE lasting (a integer)");
      assertThatThrownBy(connection::rollback)
          .hasMessageContaining("1 statement since BEGIN changed something and cannot be undone");
      assertThat(rows(connection, "SELECT count(*) FROM lasting")).containsExactly(List.of(0L));
      assertThatThrownBy(() -> rows(connection, "SELECT nothing")).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> rows(connection, "SELECT 1"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
      connection.rollback();
      assertThat(rows(connection, "SELECT 1")).containsExactly(List.of(1));
      connection.commit();
      assertThatThrownBy(() -> connection.setSavepoint("here"))
          .hasMessageContaining("no savepoints");
    }
  }

  @Test
  void beginTwiceIsAWarning() throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      statement.execute("BEGIN");
      SQLWarning warning = statement.getWarnings();
      assertThat(warning.getMessage()).contains("already a transaction");
      statement.execute("COMMIT");
    }
  }

  @Test
  void cancelEndsTheQuery() throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      CompletableFuture<Throwable> failure =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  statement.executeQuery("SELECT count(*) FROM tpch.sf10.lineitem").close();
                  return new AssertionError("it was not cancelled");
                } catch (SQLException e) {
                  return e;
                }
              });
      await("it runs", () -> running() == 1);
      statement.cancel();
      assertThat(failure.get())
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
      assertThat(rows(connection, "SELECT 1")).containsExactly(List.of(1));
      await("nothing runs", () -> running() == 0);
    }
  }

  @Test
  void aClientThatGoesAwayEndsItsQuery() throws Exception {
    Connection connection = connect();
    CompletableFuture<Void> query =
        CompletableFuture.runAsync(
            () -> {
              try {
                rows(connection, "SELECT count(*) FROM tpch.sf10.lineitem");
              } catch (SQLException e) {
                // Its connection is aborted.
              }
            });
    await("it runs", () -> running() == 1);
    connection.abort(Runnable::run);
    query.get();
    await("nothing runs", () -> running() == 0);
    await(
        "the connection is gone",
        () -> service.part(PostgresEndpoint.class).connectionCount() == 0);
  }

  @Test
  void whoIsLetIn() throws Exception {
    assertThatThrownBy(() -> connectTo("lake", "admin", "wrong"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28000"));
    assertThatThrownBy(() -> connectTo("lake", "nobody", password))
        .isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> connectTo("lake", "admin", "varve_" + "00".repeat(32)))
        .isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> connectTo("no_such", "admin", password))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("3D000"));
    String token = service.part(dev.varve.service.security.Tokens.class).localSecret();
    try (Connection connection = connectTo("tpch", "anybody", token)) {
      assertThat(rows(connection, "SELECT count(*) FROM sf0_01.region"))
          .containsExactly(List.of(5L));
    }
  }

  @Test
  void whatIsSetLastsForTheConnection() throws Exception {
    try (Connection connection = connect()) {
      run(connection, "SET timezone = 'Asia/Tokyo'");
      assertThat(rows(connection, "SHOW timezone")).containsExactly(List.of("Asia/Tokyo"));
      connection.setSchema("shop");
      assertThat(rows(connection, "SELECT count(*) FROM orders")).containsExactly(List.of(0L));
      assertThat(connection.getSchema()).isEqualTo("shop");
      assertThatThrownBy(() -> run(connection, "SET client_encoding = 'LATIN1'"))
          .hasMessageContaining("cannot be changed");
    }
  }

  private static List<String> column(ResultSet rows, String name) throws SQLException {
    try (rows) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(name));
      }
      return values;
    }
  }

  @Test
  void theMetadataOfTheDriver() throws Exception {
    try (Connection connection = connect()) {
      DatabaseMetaData metadata = connection.getMetaData();
      assertThat(connection.getCatalog()).isEqualTo("lake");
      assertThat(column(metadata.getCatalogs(), "TABLE_CAT")).contains("lake", "tpch");
      assertThat(column(metadata.getSchemas(), "TABLE_SCHEM"))
          .contains("default", "information_schema", "shop");
      assertThat(
              column(
                  metadata.getTables(null, "shop", "%", new String[] {"TABLE", "VIEW"}),
                  "TABLE_NAME"))
          .containsExactly("orders", "cheap");
      assertThat(
              column(metadata.getTables(null, "sh%", "ord%", new String[] {"TABLE"}), "TABLE_TYPE"))
          .containsExactly("TABLE");
      try (ResultSet columns = metadata.getColumns(null, "shop", "orders", "%")) {
        assertThat(columns.next()).isTrue();
        assertThat(columns.getString("COLUMN_NAME")).isEqualTo("id");
        assertThat(columns.getInt("DATA_TYPE")).isEqualTo(Types.BIGINT);
        assertThat(columns.getInt("NULLABLE")).isEqualTo(DatabaseMetaData.columnNoNulls);
        assertThat(columns.getInt("ORDINAL_POSITION")).isEqualTo(1);
        assertThat(columns.next()).isTrue();
        assertThat(columns.getInt("DATA_TYPE")).isEqualTo(Types.NUMERIC);
        assertThat(columns.getInt("COLUMN_SIZE")).isEqualTo(12);
        assertThat(columns.getInt("DECIMAL_DIGITS")).isEqualTo(2);
        assertThat(columns.getString("IS_NULLABLE")).isEqualTo("YES");
      }
      assertThat(column(metadata.getColumns(null, "shop", "cheap", "%"), "COLUMN_NAME"))
          .containsExactly("id");
      assertThat(column(metadata.getTypeInfo(), "TYPE_NAME")).contains("int8", "numeric", "uuid");
      assertThat(column(metadata.getPrimaryKeys(null, "shop", "orders"), "PK_NAME")).isEmpty();
      assertThat(column(metadata.getImportedKeys(null, "shop", "orders"), "FK_NAME")).isEmpty();
      assertThat(column(metadata.getExportedKeys(null, "shop", "orders"), "FK_NAME")).isEmpty();
      assertThat(column(metadata.getIndexInfo(null, "shop", "orders", false, true), "INDEX_NAME"))
          .isEmpty();
      assertThat(
              column(metadata.getBestRowIdentifier(null, "shop", "orders", 1, true), "COLUMN_NAME"))
          .isEmpty();
      assertThat(column(metadata.getFunctions(null, "%", "%"), "FUNCTION_NAME")).isEmpty();
      assertThat(metadata.getMaxIndexLength()).isNotNegative();
      assertThat(metadata.getDatabaseProductVersion()).startsWith("9.4");
    }
  }

  /**
   * The catalog is answered by a database with a language of its own: none of it may be reached.
   */
  @Test
  void theCatalogReadsNothingElse() throws Exception {
    try (Connection connection = connect()) {
      for (String sql :
          List.of(
              "SELECT pg_catalog.version(), file_read('/etc/passwd')",
              "SELECT * FROM csvread('/etc/passwd') x, pg_class",
              "SELECT link_schema('x', '', 'jdbc:h2:mem:x', '', '', 'y'), 1 FROM pg_class",
              "SELECT * FROM FINAL TABLE (INSERT INTO pg_class (oid) VALUES (1))",
              "WITH x AS (SELECT 1) SELECT file_write('x', '/tmp/varve-test') FROM pg_class")) {
        assertThatThrownBy(() -> rows(connection, sql)).as(sql).isInstanceOf(SQLException.class);
      }
      assertThatThrownBy(
              () -> run(connection, "CREATE ALIAS pg_x AS 'void f() { System.exit(1); }'"))
          .isInstanceOf(SQLException.class);
    }
  }

  @Test
  void toolsAskForTheServersVersionAndSettings() throws Exception {
    try (Connection connection = connect()) {
      assertThat(rows(connection, "SELECT version()").get(0).get(0).toString())
          .contains("PostgreSQL 9.4")
          .contains("Varve");
      assertThat(rows(connection, "SELECT current_database(), current_schema(), current_user"))
          .containsExactly(List.of("lake", "default", "admin"));
      assertThat(rows(connection, "SHOW server_version_num")).containsExactly(List.of("90426"));
      assertThat(rows(connection, "SHOW TRANSACTION ISOLATION LEVEL"))
          .containsExactly(List.of("read committed"));
    }
  }
}
