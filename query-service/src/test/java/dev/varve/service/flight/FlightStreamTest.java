package dev.varve.service.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.process.WholeService;
import dev.varve.service.query.QueryService;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.CancelFlightInfoRequest;
import org.apache.arrow.flight.CancelStatus;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.auth2.BasicAuthCredentialWriter;
import org.apache.arrow.flight.grpc.CredentialCallOption;
import org.apache.arrow.flight.sql.FlightSqlClient;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large results: in bounded memory on both sides, and gone when their client is. */
@Timeout(600)
class FlightStreamTest {
  /** Rows that the small client fetches; {@code 10000000} takes a minute or two. */
  private static final long ROWS = Long.getLong("varve.flight.rows", 400_000);

  private static final String MANY =
      "SELECT l_orderkey, l_extendedprice, l_shipmode, l_comment FROM tpch.sf10.lineitem";
  private static final long STREAM_BYTES = 8L << 20;

  @TempDir static Path directory;
  private static WholeService service;
  private static String password;
  private static FlightEndpoint endpoint;
  private static QueryService queries;

  @BeforeAll
  static void start() {
    service = new WholeService(directory.resolve("home"), ServiceConfiguration.DEFAULTS);
    password = service.createAdministrator();
    endpoint = service.part(FlightEndpoint.class);
    queries = service.part(QueryService.class);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @AfterEach
  void nothingIsLeftAfterASecond() throws InterruptedException {
    await("queries end", () -> queries.runningCount() == 0);
    await("buffers are given back", () -> endpoint.bufferedBytes() == 0);
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  private static String url() {
    return "jdbc:arrow-flight-sql://127.0.0.1:"
        + endpoint.port().orElseThrow()
        + "?useEncryption=false";
  }

  /** A client of Arrow's own library. */
  private static final class Client implements AutoCloseable {
    final BufferAllocator allocator = new RootAllocator();
    final FlightClient flight =
        FlightClient.builder(
                allocator, Location.forGrpcInsecure("127.0.0.1", endpoint.port().orElseThrow()))
            .build();
    final FlightSqlClient sql = new FlightSqlClient(flight);
    final CredentialCallOption login =
        new CredentialCallOption(new BasicAuthCredentialWriter("admin", password));

    FlightStream fetch(String query) {
      return sql.getStream(sql.execute(query, login).getEndpoints().get(0).getTicket(), login);
    }

    @Override
    public void close() throws Exception {
      sql.close();
      allocator.close();
    }
  }

  @Test
  void aClientOf256MegabytesFetchesAllRows() throws Exception {
    Path driver =
        Path.of(
            org.apache.arrow.driver.jdbc.ArrowFlightJdbcDriver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    Path classes =
        Path.of(FetchClient.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Process client =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:MaxDirectMemorySize=256m",
                "-XX:+ExitOnOutOfMemoryError",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes + ":" + driver,
                FetchClient.class.getName(),
                url(),
                "admin",
                password,
                MANY + " LIMIT " + ROWS,
                "true")
            .redirectError(directory.resolve("client.log").toFile())
            .start();
    long most = 0;
    while (client.isAlive()) {
      most = Math.max(most, endpoint.bufferedBytes());
      Thread.sleep(5);
    }
    String[] answer = new String(client.getInputStream().readAllBytes()).strip().split(" ");
    assertThat(client.exitValue()).isZero();
    assertThat(answer[0]).isEqualTo(String.valueOf(ROWS));
    assertThat(most).isPositive().isLessThan(STREAM_BYTES);
  }

  @Test
  void aClientThatStopsReadingStopsTheQuery() throws Exception {
    try (Client client = new Client();
        FlightStream stream = client.fetch(MANY)) {
      assertThat(stream.next()).isTrue();
      String id = onlyRunning();
      Principal admin = new Principal("admin", Set.of("admin"));
      long produced = -1;
      long now = queries.find(admin, id).progress().rowsProduced();
      while (produced != now) {
        Thread.sleep(700);
        produced = now;
        now = queries.find(admin, id).progress().rowsProduced();
      }
      assertThat(now).as("of 60 million").isLessThan(2_000_000);
      assertThat(endpoint.bufferedBytes()).isLessThan(STREAM_BYTES);
      long rows = stream.getRoot().getRowCount();
      while (rows < 500_000) {
        assertThat(stream.next()).isTrue();
        rows += stream.getRoot().getRowCount();
      }
      assertThat(queries.find(admin, id).progress().rowsProduced()).isGreaterThan(now);
      stream.cancel("enough", null);
    }
  }

  private static String onlyRunning() throws Exception {
    try (Connection connection = FlightService.connectTo(url(), password)) {
      List<List<Object>> running =
          FlightService.rows(
              connection,
              "SELECT query_id FROM system.runtime.queries WHERE state = 'RUNNING' AND query LIKE"
                  + " 'SELECT l_orderkey%'");
      assertThat(running).hasSize(1);
      return running.get(0).get(0).toString();
    }
  }

  @Test
  void batchesAreOfOneMegabyteAtMost() throws Exception {
    try (Client client = new Client();
        FlightStream stream = client.fetch(MANY + " LIMIT 100000")) {
      long rows = 0;
      while (stream.next()) {
        rows += stream.getRoot().getRowCount();
        stream
            .getRoot()
            .getFieldVectors()
            .forEach(vector -> assertThat(vector.getBufferSize()).isLessThanOrEqualTo(1 << 20));
      }
      assertThat(rows).isEqualTo(100_000);
    }
  }

  @Test
  void cancellingInTheMiddleEndsTheQuery() throws Exception {
    try (Connection connection = FlightService.connectTo(url(), password);
        Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery(MANY);
      for (int i = 0; i < 1000; i++) {
        assertThat(rows.next()).isTrue();
      }
      statement.cancel();
      nothingIsLeftAfterASecond();
      assertThat(FlightService.rows(connection, "SELECT 1")).containsExactly(List.of(1));
    }
  }

  @Test
  void aFlightIsCancelledByItsInfo() throws Exception {
    try (Client client = new Client()) {
      FlightInfo info = client.sql.execute(MANY, client.login);
      assertThat(
              client
                  .sql
                  .cancelFlightInfo(new CancelFlightInfoRequest(info), client.login)
                  .getStatus())
          .isEqualTo(CancelStatus.CANCELLED);
      assertThatThrownBy(
              () -> {
                try (FlightStream stream =
                    client.sql.getStream(info.getEndpoints().get(0).getTicket(), client.login)) {
                  stream.next();
                }
              })
          .isInstanceOfSatisfying(
              FlightRuntimeException.class,
              e -> {
                assertThat(e.status().code()).isEqualTo(FlightStatusCode.CANCELLED);
                assertThat(e.status().metadata().get("varve-code"))
                    .isEqualTo(ErrorCode.QUERY_CANCELED.name());
              });
    }
  }

  @Test
  void aConnectionThatBreaksEndsItsQueries() throws Exception {
    List<FlightStream> streams = new ArrayList<>();
    try (Relay relay = new Relay(endpoint.port().orElseThrow());
        BufferAllocator allocator = new RootAllocator()) {
      FlightClient flight =
          FlightClient.builder(allocator, Location.forGrpcInsecure("127.0.0.1", relay.port()))
              .build();
      CredentialCallOption login =
          new CredentialCallOption(new BasicAuthCredentialWriter("admin", password));
      FlightSqlClient sql = new FlightSqlClient(flight);
      for (int i = 0; i < 3; i++) {
        FlightStream stream =
            sql.getStream(sql.execute(MANY, login).getEndpoints().get(0).getTicket(), login);
        assertThat(stream.next()).isTrue();
        streams.add(stream);
      }
      assertThat(queries.runningCount()).isEqualTo(3);
      relay.cut();
      nothingIsLeftAfterASecond();
      for (FlightStream stream : streams) {
        assertThatThrownBy(
                () -> {
                  while (stream.next()) {
                    // What had arrived before the cut.
                  }
                })
            .isInstanceOf(FlightRuntimeException.class);
        closeQuietly(stream);
      }
      sql.close();
    }
  }

  private static void closeQuietly(FlightStream stream) {
    try {
      stream.close();
    } catch (Exception e) {
      assertThat(e).hasMessageContaining("UNAVAILABLE");
    }
  }

  /** Passes bytes on until it is cut, as a cable does. */
  private static final class Relay implements AutoCloseable {
    private final java.net.ServerSocket listening =
        new java.net.ServerSocket(0, 5, java.net.InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new java.util.concurrent.CopyOnWriteArrayList<>();

    Relay(int target) throws IOException {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  while (true) {
                    Socket client = listening.accept();
                    Socket server = new Socket(java.net.InetAddress.getLoopbackAddress(), target);
                    sockets.add(client);
                    sockets.add(server);
                    pass(client, server);
                    pass(server, client);
                  }
                } catch (IOException e) {
                  // Cut.
                }
              });
    }

    private static void pass(Socket from, Socket to) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  from.getInputStream().transferTo(to.getOutputStream());
                } catch (IOException e) {
                  // Cut.
                }
              });
    }

    int port() {
      return listening.getLocalPort();
    }

    void cut() throws IOException {
      listening.close();
      for (Socket socket : sockets) {
        if (!socket.isClosed()) {
          socket.setSoLinger(true, 0);
          socket.close();
        }
      }
    }

    @Override
    public void close() throws IOException {
      cut();
    }
  }

  @Test
  void whoDoesNotFetchHoldsOneBuffer() throws Exception {
    try (Client client = new Client()) {
      FlightInfo info = client.sql.execute(MANY, client.login);
      Thread.sleep(500);
      assertThat(endpoint.bufferedBytes()).isZero();
      assertThat(queries.runningCount()).isEqualTo(1);
      client.sql.cancelFlightInfo(new CancelFlightInfoRequest(info), client.login);
    }
  }

  @Test
  void ticketsOfNobodyAreNotFound() throws Exception {
    try (Client client = new Client()) {
      FlightInfo info = client.sql.execute("SELECT 1", client.login);
      try (FlightStream stream =
          client.sql.getStream(info.getEndpoints().get(0).getTicket(), client.login)) {
        assertThat(stream.next()).isTrue();
        assertThat(stream.next()).isFalse();
      }
      assertThatThrownBy(
              () -> {
                try (FlightStream again =
                    client.sql.getStream(info.getEndpoints().get(0).getTicket(), client.login)) {
                  again.next();
                }
              })
          .isInstanceOfSatisfying(
              FlightRuntimeException.class,
              e -> assertThat(e.status().code()).isEqualTo(CallStatus.NOT_FOUND.code()));
    }
  }
}
