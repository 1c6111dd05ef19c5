package dev.varve.service.flight;

import static dev.varve.service.flight.FlightService.rows;
import static dev.varve.service.flight.FlightService.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.auth2.BasicAuthCredentialWriter;
import org.apache.arrow.flight.grpc.CredentialCallOption;
import org.apache.arrow.flight.sql.FlightSqlClient;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** DatabaseMetaData, asked as tools ask when somebody opens their tree of tables. */
@Timeout(120)
class FlightMetadataTest {
  @TempDir static Path directory;
  private static FlightService service;
  private static Connection connection;

  @BeforeAll
  static void start() throws SQLException {
    service = new FlightService(directory);
    connection = service.connect();
    run(connection, "CREATE SCHEMA shop");
    run(
        connection,
        "CREATE TABLE shop.orders (id bigint NOT NULL, price decimal(12,2), day date,"
            + " at timestamp with time zone, note varchar, data varbinary)");
    run(connection, "CREATE TABLE shop.\"Odd_Name%\" (a integer)");
    run(connection, "CREATE VIEW shop.cheap AS SELECT id FROM shop.orders WHERE price < 10");
  }

  @AfterAll
  static void stop() {
    // The driver does not free what it adds to the answers of the server.
    assertThatThrownBy(connection::close).hasMessageContaining("VectorSchemaRootTransformer");
    service.close();
  }

  private static DatabaseMetaData metadata() throws SQLException {
    return connection.getMetaData();
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
  void catalogsSchemasAndTypesOfTables() throws Exception {
    assertThat(column(metadata().getCatalogs(), "TABLE_CAT")).contains("lake", "system", "tpch");
    assertThat(column(metadata().getSchemas("lake", null), "TABLE_SCHEM"))
        .contains("default", "information_schema", "shop");
    assertThat(column(metadata().getSchemas(null, "sh_p"), "TABLE_SCHEM")).containsExactly("shop");
    assertThat(column(metadata().getSchemas("no_such", "%"), "TABLE_SCHEM")).isEmpty();
    assertThat(column(metadata().getTableTypes(), "TABLE_TYPE")).containsExactly("TABLE", "VIEW");
  }

  @Test
  void tablesByPatternAndType() throws Exception {
    assertThat(column(metadata().getTables("lake", "shop", "%", null), "TABLE_NAME"))
        .containsExactlyInAnyOrder("Odd_Name%", "cheap", "orders");
    assertThat(
            column(metadata().getTables("lake", "shop", null, new String[] {"VIEW"}), "TABLE_NAME"))
        .containsExactly("cheap");
    assertThat(column(metadata().getTables(null, "%", "order_", null), "TABLE_SCHEM"))
        .contains("shop", "sf1");
    assertThat(column(metadata().getTables("lake", "shop", "Odd\\_Name\\%", null), "TABLE_NAME"))
        .containsExactly("Odd_Name%");
    assertThat(column(metadata().getTables("lake", "shop", "nothing", null), "TABLE_NAME"))
        .isEmpty();
  }

  @Test
  void columnsOfATableAndOfAView() throws Exception {
    try (ResultSet columns = metadata().getColumns("lake", "shop", "orders", "%")) {
      assertThat(columns.next()).isTrue();
      assertThat(columns.getString("COLUMN_NAME")).isEqualTo("id");
      assertThat(columns.getInt("DATA_TYPE")).isEqualTo(Types.BIGINT);
      assertThat(columns.getString("TYPE_NAME")).isEqualToIgnoringCase("bigint");
      assertThat(columns.getString("IS_NULLABLE")).isEqualTo("NO");
      assertThat(columns.getInt("ORDINAL_POSITION")).isEqualTo(1);
      assertThat(columns.next()).isTrue();
      assertThat(columns.getInt("DATA_TYPE")).isEqualTo(Types.DECIMAL);
      assertThat(columns.getInt("COLUMN_SIZE")).isEqualTo(12);
      assertThat(columns.getInt("DECIMAL_DIGITS")).isEqualTo(2);
      assertThat(columns.getString("IS_NULLABLE")).isEqualTo("YES");
      assertThat(columns.next()).isTrue();
      assertThat(columns.getInt("DATA_TYPE")).isEqualTo(Types.DATE);
      assertThat(columns.next()).isTrue();
      assertThat(columns.getString("TYPE_NAME")).containsIgnoringCase("timestamp");
      assertThat(columns.next()).isTrue();
      assertThat(columns.getInt("DATA_TYPE")).isEqualTo(Types.VARCHAR);
      assertThat(columns.next()).isTrue();
      assertThat(columns.getInt("DATA_TYPE")).isEqualTo(Types.VARBINARY);
      assertThat(columns.next()).isFalse();
    }
    assertThat(column(metadata().getColumns("lake", "shop", "%", "id"), "TABLE_NAME"))
        .containsExactlyInAnyOrder("cheap", "orders");
  }

  @Test
  void tablesHaveNoKeys() throws Exception {
    assertThat(column(metadata().getPrimaryKeys("lake", "shop", "orders"), "PK_NAME")).isEmpty();
    assertThat(column(metadata().getImportedKeys("lake", "shop", "orders"), "PK_NAME")).isEmpty();
    assertThat(column(metadata().getExportedKeys("lake", "shop", "orders"), "FK_NAME")).isEmpty();
    assertThat(
            column(
                metadata().getCrossReference("lake", "shop", "a", "lake", "shop", "b"), "FK_NAME"))
        .isEmpty();
  }

  @Test
  void theServerSaysWhatItIs() throws Exception {
    assertThat(metadata().getDatabaseProductName()).isEqualTo("Varve");
    assertThat(metadata().getIdentifierQuoteString()).isEqualTo("\"");
    assertThat(metadata().getSearchStringEscape()).isEqualTo("\\");
    assertThat(metadata().isReadOnly()).isFalse();
    assertThat(metadata().supportsTransactions()).isFalse();
    assertThat(metadata().supportsCorrelatedSubqueries()).isTrue();
    assertThat(metadata().getMaxStatementLength()).isEqualTo(1_000_000);
  }

  @Test
  void theFunctionsItNamesExist() throws Exception {
    Set<String> known = new HashSet<>();
    rows(connection, "SHOW FUNCTIONS").forEach(row -> known.add(row.get(0).toString()));
    for (String list :
        List.of(
            metadata().getNumericFunctions(),
            metadata().getStringFunctions(),
            metadata().getTimeDateFunctions())) {
      for (String function : list.split(", ")) {
        assertThat(known).contains(function);
      }
    }
  }

  /** What tools ask on connecting, every one of it: none may fail. */
  @Test
  void everyQuestionWithoutParametersHasAnAnswer() throws Exception {
    List<String> failed = new ArrayList<>();
    for (Method method : DatabaseMetaData.class.getMethods()) {
      if (method.getParameterCount() == 0 && method.getDeclaringClass() == DatabaseMetaData.class) {
        try {
          Object answer = method.invoke(metadata());
          if (answer instanceof ResultSet rows) {
            rows(rows);
          }
        } catch (InvocationTargetException e) {
          failed.add(method.getName() + ": " + e.getCause());
        }
      }
    }
    assertThat(failed).isEmpty();
  }

  /** Asked of the server: the driver answers for itself that there are none. */
  @Test
  void typesAreListed() throws Exception {
    URI url = URI.create(service.url().substring("jdbc:".length()));
    CredentialCallOption login =
        new CredentialCallOption(new BasicAuthCredentialWriter("admin", service.password()));
    try (BufferAllocator allocator = new RootAllocator();
        FlightSqlClient client =
            new FlightSqlClient(
                FlightClient.builder(
                        allocator, Location.forGrpcInsecure("127.0.0.1", url.getPort()))
                    .build())) {
      assertThat(types(client, client.getXdbcTypeInfo(login), login))
          .contains("bigint", "decimal", "varchar", "timestamp with time zone");
      assertThat(types(client, client.getXdbcTypeInfo(Types.DECIMAL, login), login))
          .containsExactly("decimal");
    }
  }

  private static List<String> types(
      FlightSqlClient client, FlightInfo info, CredentialCallOption login) throws Exception {
    List<String> names = new ArrayList<>();
    try (FlightStream stream = client.getStream(info.getEndpoints().get(0).getTicket(), login)) {
      while (stream.next()) {
        for (int row = 0; row < stream.getRoot().getRowCount(); row++) {
          names.add(stream.getRoot().getVector("type_name").getObject(row).toString());
        }
      }
    }
    return names;
  }
}
