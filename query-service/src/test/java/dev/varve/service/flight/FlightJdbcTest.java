package dev.varve.service.flight;

import static dev.varve.service.flight.FlightService.rows;
import static dev.varve.service.flight.FlightService.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.util.Arrays;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Statements, values and sessions as a program sees them through the published JDBC driver. */
@Timeout(120)
class FlightJdbcTest {
  @TempDir static Path directory;
  private static FlightService service;

  @BeforeAll
  static void start() {
    service = new FlightService(directory);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void aQueryAnswersRowsWithTheirNamesAndTypes() throws Exception {
    try (Connection connection = service.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT o_orderkey, o_totalprice, o_orderdate, o_comment AS \"The Comment\""
                    + " FROM tpch.sf0_01.orders ORDER BY o_orderkey LIMIT 3")) {
      ResultSetMetaData columns = rows.getMetaData();
      assertThat(columns.getColumnCount()).isEqualTo(4);
      assertThat(columns.getColumnType(1)).isEqualTo(Types.BIGINT);
      assertThat(columns.getColumnType(2)).isEqualTo(Types.DECIMAL);
      assertThat(columns.getPrecision(2)).isEqualTo(15);
      assertThat(columns.getScale(2)).isEqualTo(2);
      assertThat(columns.getColumnType(3)).isEqualTo(Types.DATE);
      assertThat(columns.getColumnLabel(4)).isEqualTo("The Comment");
      assertThat(rows.next()).isTrue();
      assertThat(rows.getLong("o_orderkey")).isEqualTo(1);
      assertThat(rows(rows)).hasSize(2);
    }
  }

  @Test
  void tpchAnswersAsOverTheEngine() throws Exception {
    try (Connection connection = service.connect("schema", "information_schema")) {
      assertThat(
              rows(
                  connection,
                  "SELECT l_returnflag, l_linestatus, sum(l_quantity), count(*) FROM"
                      + " tpch.sf0_01.lineitem WHERE l_shipdate <= DATE '1998-09-02'"
                      + " GROUP BY l_returnflag, l_linestatus ORDER BY 1, 2"))
          .hasSize(4)
          .first()
          .isEqualTo(List.of("A", "F", new BigDecimal("380456.00"), 14876L));
    }
  }

  @Test
  void everyTypeRoundTripsWithItsNulls() throws Exception {
    try (Connection connection = service.connect()) {
      run(
          connection,
          "CREATE TABLE every_type (id integer, b boolean, i integer, l bigint, r real, d double"
              + " precision, n9 decimal(9,2), n38 decimal(38,10), day date, t time, ts timestamp,"
              + " tz timestamp with time zone, v varchar, bin varbinary, u uuid)");
      Timestamp moment = Timestamp.valueOf("2026-11-30 21:59:58.123");
      Instants instants = new Instants();
      try (PreparedStatement insert =
          connection.prepareStatement(
              "INSERT INTO every_type VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
        assertThat(insert.getParameterMetaData().getParameterCount()).isEqualTo(15);
        assertThat(insert.getParameterMetaData().getParameterType(8)).isEqualTo(Types.DECIMAL);
        insert.setInt(1, 1);
        insert.setBoolean(2, true);
        insert.setInt(3, Integer.MIN_VALUE);
        insert.setLong(4, Long.MAX_VALUE);
        insert.setFloat(5, -1.5f);
        insert.setDouble(6, Math.PI);
        insert.setBigDecimal(7, new BigDecimal("-1234567.89"));
        insert.setBigDecimal(8, new BigDecimal("1234567890123456789012345678.0123456789"));
        insert.setDate(9, Date.valueOf("1969-07-20"), instants.utc());
        insert.setTime(10, Time.valueOf("23:59:58"), instants.utc());
        insert.setTimestamp(11, moment, instants.utc());
        insert.setTimestamp(12, moment, instants.utc());
        insert.setString(13, "ünï ☃ '");
        insert.setBytes(14, new byte[] {0, -1, 127});
        insert.setString(15, "00112233-4455-6677-8899-aabbccddeeff");
        assertThat(insert.executeUpdate()).isEqualTo(1);
        insert.setInt(1, 2);
        for (int i = 2; i <= 15; i++) {
          insert.setNull(i, Types.NULL);
        }
        assertThat(insert.executeUpdate()).isEqualTo(1);
      }
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT * FROM every_type ORDER BY id")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getBoolean(2)).isTrue();
        assertThat(row.getInt(3)).isEqualTo(Integer.MIN_VALUE);
        assertThat(row.getLong(4)).isEqualTo(Long.MAX_VALUE);
        assertThat(row.getFloat(5)).isEqualTo(-1.5f);
        assertThat(row.getDouble(6)).isEqualTo(Math.PI);
        assertThat(row.getBigDecimal(7)).isEqualTo("-1234567.89");
        assertThat(row.getBigDecimal(8)).isEqualTo("1234567890123456789012345678.0123456789");
        assertThat(row.getString(9)).isEqualTo("1969-07-20");
        assertThat(row.getString(10)).startsWith("23:59:58");
        assertThat(row.getTimestamp(11, instants.utc())).isEqualTo(moment);
        assertThat(row.getTimestamp(12, instants.utc())).isEqualTo(moment);
        assertThat(row.getString(13)).isEqualTo("ünï ☃ '");
        assertThat(row.getBytes(14)).containsExactly(0, -1, 127);
        assertThat(row.getString(15)).isEqualTo("00112233-4455-6677-8899-aabbccddeeff");
        assertThat(row.next()).isTrue();
        for (int i = 2; i <= 15; i++) {
          // Of timestamps with time zone the driver has no objects, null or not.
          assertThat(i == 12 ? row.getTimestamp(i) : row.getObject(i)).as("column " + i).isNull();
          assertThat(row.wasNull()).isTrue();
        }
        assertThat(row.next()).isFalse();
      }
    }
  }

  /** Calendars are changed by those who use them. */
  private static final class Instants {
    Calendar utc() {
      return Calendar.getInstance(TimeZone.getTimeZone("UTC"));
    }
  }

  @Test
  void whatIsNoColumnOfATableArrivesToo() throws Exception {
    try (Connection connection = service.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT CAST(-7 AS smallint), INTERVAL '1' DAY + INTERVAL '2' HOUR,"
                    + " INTERVAL '14' MONTH, NULL, CAST(NULL AS varchar), 'x',"
                    + " CAST('NaN' AS double precision), CAST(12.5 AS decimal(18,4))")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getShort(1)).isEqualTo((short) -7);
      assertThat(row.getMetaData().getColumnType(1)).isEqualTo(Types.SMALLINT);
      assertThat(row.getObject(2)).isEqualTo(Duration.ofHours(26));
      assertThat(row.getString(3)).isEqualTo("+001-02");
      assertThat(row.getObject(4)).isNull();
      assertThat(row.getObject(5)).isNull();
      assertThat(row.getString(6)).isEqualTo("x");
      assertThat(row.getDouble(7)).isNaN();
      assertThat(row.getBigDecimal(8)).isEqualTo("12.5000");
    }
  }

  @Test
  void encodedColumnsOfManyRowsArriveWhole() throws Exception {
    try (Connection connection = service.connect()) {
      run(
          connection,
          "CREATE TABLE encoded AS SELECT l_orderkey AS k, l_shipmode AS mode, 'fixed' AS fixed,"
              + " CASE WHEN l_linenumber = 3 THEN NULL ELSE l_comment END AS remark"
              + " FROM tpch.sf0_01.lineitem");
      List<List<Object>> totals =
          rows(
              connection,
              "SELECT count(*), sum(k), count(remark), sum(length(mode)), sum(length(remark))"
                  + " FROM encoded");
      long count = 0;
      long keys = 0;
      long remarks = 0;
      long modes = 0;
      long lengths = 0;
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT k, mode, fixed, remark FROM encoded")) {
        while (rows.next()) {
          count++;
          keys += rows.getLong(1);
          modes += rows.getString(2).length();
          assertThat(rows.getString(3)).isEqualTo("fixed");
          String remark = rows.getString(4);
          remarks += remark == null ? 0 : 1;
          lengths += remark == null ? 0 : remark.length();
        }
      }
      assertThat(totals.get(0).stream().map(value -> ((Number) value).longValue()))
          .containsExactly(count, keys, remarks, modes, lengths);
    }
  }

  @Test
  void rowsLargerThanABatchArrive() throws Exception {
    try (Connection connection = service.connect()) {
      assertThat(
              rows(
                  connection,
                  "SELECT length(t), t FROM (SELECT repeat('0123456789', 300000) AS t"
                      + " FROM tpch.sf0_01.region)"))
          .hasSize(5)
          .allSatisfy(row -> assertThat(((String) row.get(1)).length()).isEqualTo(3_000_000));
    }
  }

  @Test
  void aPreparedQueryIsAskedAgainAndAgain() throws Exception {
    try (Connection connection = service.connect();
        PreparedStatement query =
            connection.prepareStatement(
                "SELECT count(*) FROM tpch.sf0_01.orders WHERE o_orderdate < ? AND o_orderkey <> ?"
                    + " AND o_orderpriority = ?")) {
      assertThat(query.getParameterMetaData().getParameterCount()).isEqualTo(3);
      long last = 0;
      for (String day : List.of("1993-01-01", "1995-01-01", "1999-01-01")) {
        query.setDate(1, Date.valueOf(day));
        query.setLong(2, 1);
        query.setString(3, "2-HIGH");
        try (ResultSet rows = query.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getLong(1)).isGreaterThan(last);
          last = rows.getLong(1);
        }
      }
      query.setNull(1, Types.DATE);
      try (ResultSet rows = query.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(1)).isZero();
      }
    }
  }

  @Test
  void updatesAnswerHowManyRowsTheyWrote() throws Exception {
    try (Connection connection = service.connect();
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("CREATE TABLE counted (a integer, b varchar)")).isZero();
      assertThat(statement.executeUpdate("INSERT INTO counted VALUES (1, 'x'), (2, 'y')"))
          .isEqualTo(2);
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO counted SELECT n_nationkey, n_name FROM tpch.sf0_01.nation"))
          .isEqualTo(25);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO counted (b, a) VALUES (?, ? + 1)")) {
        for (int i = 0; i < 3; i++) {
          insert.setString(1, "batch " + i);
          insert.setInt(2, i);
          insert.addBatch();
        }
        assertThat(Arrays.stream(insert.executeBatch()).sum()).isEqualTo(3);
      }
      assertThat(rows(connection, "SELECT a FROM counted WHERE b LIKE 'batch%' ORDER BY a"))
          .containsExactly(List.of(1), List.of(2), List.of(3));
      assertThat(statement.executeUpdate("DROP TABLE counted")).isZero();
    }
  }

  @Test
  void statementsThatShowSomethingAnswerRows() throws Exception {
    try (Connection connection = service.connect()) {
      assertThat(rows(connection, "SHOW CATALOGS")).contains(List.of("lake"), List.of("tpch"));
      assertThat(rows(connection, "EXPLAIN SELECT 1").toString()).contains("Exec");
      assertThat(rows(connection, "DESCRIBE tpch.sf0_01.region")).hasSize(3);
    }
  }

  @Test
  void errorsSayWhatAndWhere() throws Exception {
    try (Connection connection = service.connect()) {
      assertThatThrownBy(() -> rows(connection, "SELECT\n  n_nmae FROM tpch.sf0_01.nation"))
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("UNDEFINED_COLUMN")
          .hasStackTraceContaining("did you mean 'n_name'")
          .hasStackTraceContaining("line 2, column 3");
      assertThatThrownBy(
              () -> rows(connection, "SELECT 1 / (n_regionkey - 1) FROM tpch.sf0_01.nation"))
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("DIVISION_BY_ZERO");
      assertThatThrownBy(() -> run(connection, "INSERT INTO tpch.sf0_01.nation VALUES (1)"))
          .isInstanceOf(SQLException.class);
      assertThat(rows(connection, "SELECT 1")).containsExactly(List.of(1));
    }
  }

  @Test
  void whatIsSetLastsForTheConnectionAndForNoOther() throws Exception {
    try (Connection connection = service.connect();
        Connection other = service.connect()) {
      run(connection, "SET timezone = 'Asia/Tokyo'");
      run(connection, "USE tpch.sf0_01");
      assertThat(rows(connection, "SHOW timezone")).containsExactly(List.of("Asia/Tokyo"));
      assertThat(rows(connection, "SELECT count(*) FROM region")).containsExactly(List.of(5L));
      assertThat(
              rows(
                  connection,
                  "SELECT CAST(TIMESTAMP WITH TIME ZONE '2026-01-01 00:00:00Z' AS varchar)"))
          .containsExactly(List.of("2026-01-01 09:00:00+09"));
      assertThat(rows(other, "SHOW timezone")).containsExactly(List.of("UTC"));
      assertThatThrownBy(() -> rows(other, "SELECT count(*) FROM region"))
          .hasStackTraceContaining("UNDEFINED_TABLE");
      run(connection, "RESET timezone");
      assertThat(rows(connection, "SHOW timezone")).containsExactly(List.of("UTC"));
    }
  }

  @Test
  void aStatementPreparedBeforeSeesWhatIsSetAfter() throws Exception {
    try (Connection connection = service.connect();
        PreparedStatement zone = connection.prepareStatement("SHOW timezone")) {
      run(connection, "SET timezone = 'Asia/Tokyo'");
      try (ResultSet rows = zone.executeQuery()) {
        assertThat(rows(rows)).containsExactly(List.of("Asia/Tokyo"));
      }
    }
  }

  @Test
  void propertiesOfTheConnectionAreTheSessions() throws Exception {
    try (Connection connection =
        service.connect("timezone", "Europe/Vienna", "schema", "tpch.sf0_01")) {
      assertThat(rows(connection, "SHOW timezone")).containsExactly(List.of("Europe/Vienna"));
      assertThat(rows(connection, "SELECT count(*) FROM region")).containsExactly(List.of(5L));
    }
    Connection catalog = service.connect("catalog", "tpch");
    assertThat(rows(catalog, "SELECT count(*) FROM sf0_01.region")).containsExactly(List.of(5L));
    // The driver closes the session, and then once more over the connection it has closed.
    assertThatThrownBy(catalog::close).hasMessageContaining("Channel shutdown");
    assertThatThrownBy(
            () -> {
              try (Connection connection = service.connect("catalog", "no_such")) {
                rows(connection, "SELECT 1");
              }
            })
        .isInstanceOf(SQLException.class);
  }

  @Test
  void aClosedStatementIsClosedForGood() throws Exception {
    try (Connection connection = service.connect()) {
      PreparedStatement statement = connection.prepareStatement("SELECT 1");
      statement.close();
      assertThatThrownBy(statement::executeQuery).isInstanceOf(SQLException.class);
    }
  }
}
