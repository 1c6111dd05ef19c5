package dev.varve.service.flight;

import static dev.varve.service.flight.FlightService.connectTo;
import static dev.varve.service.flight.FlightService.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.varve.service.home.ConfigurationFile;
import dev.varve.service.home.Home;
import dev.varve.service.home.ServiceConfiguration;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.arrow.flight.impl.FlightServiceGrpc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets in over Flight, and how. */
@Timeout(180)
class FlightLoginTest {
  private static final String GOOD = "varve_" + "ab".repeat(32);
  private static final String EXPIRED = "varve_" + "cd".repeat(32);

  @TempDir static Path directory;
  private static FlightService service;

  @BeforeAll
  static void start() throws Exception {
    Home home = new Home(directory.resolve("home")).create();
    Files.writeString(home.configuration(), "sessions.max = 3\n");
    Files.writeString(
        home.security().resolve("tokens"),
        token("1", GOOD, Instant.now().plusSeconds(3600))
            + token("2", EXPIRED, Instant.now().minusSeconds(1)));
    service = new FlightService(directory);
  }

  private static String token(String id, String secret, Instant expires) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    return String.join(
        "\t",
        id,
        "ci",
        "robot",
        "admin",
        String.valueOf(expires.getEpochSecond()),
        HexFormat.of().formatHex(hash) + "\n");
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static void assertRefused(String... login) {
    Properties properties = new Properties();
    for (int i = 0; i < login.length; i += 2) {
      properties.setProperty(login[i], login[i + 1]);
    }
    assertThatThrownBy(
            () -> {
              try (Connection connection = DriverManager.getConnection(service.url(), properties)) {
                rows(connection, "SELECT 1");
              }
            })
        .isInstanceOf(SQLException.class)
        .hasStackTraceContaining("UNAUTHENTICATED");
  }

  @Test
  void aPasswordAndATokenLetIn() throws Exception {
    try (Connection connection = service.connect()) {
      assertThat(rows(connection, "SELECT current_user")).containsExactly(List.of("admin"));
    }
    try (Connection connection = service.connectWithToken(GOOD)) {
      assertThat(rows(connection, "SELECT current_user")).containsExactly(List.of("robot"));
    }
  }

  @Test
  void nothingElseDoes() {
    assertRefused();
    assertRefused("user", "admin", "password", "wrong");
    assertRefused("user", "nobody", "password", service.password());
    assertRefused("token", EXPIRED);
    assertRefused("token", "varve_login_" + "00".repeat(32));
    assertRefused("token", "nonsense");
  }

  @Test
  void aLostConnectionIsMadeAnew() throws Exception {
    for (int i = 0; i < 5; i++) {
      try (Connection connection = service.connect()) {
        assertThat(rows(connection, "SELECT 1")).containsExactly(List.of(1));
      }
    }
  }

  /** Flight's own list of calls: one that is added to it is tried too. */
  @Test
  void noCallIsAnsweredWithoutALogin() throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                "127.0.0.1", URI.create(service.url().substring(5)).getPort())
            .usePlaintext()
            .build();
    try {
      List<String> names = new ArrayList<>();
      for (MethodDescriptor<?, ?> method : FlightServiceGrpc.getServiceDescriptor().getMethods()) {
        names.add(method.getBareMethodName());
        assertThatThrownBy(() -> call(channel, method))
            .as(method.getFullMethodName())
            .isInstanceOfSatisfying(
                StatusRuntimeException.class,
                e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED));
      }
      assertThat(names).contains("Handshake", "DoGet", "DoPut", "DoAction", "GetFlightInfo");
    } finally {
      channel.shutdownNow();
    }
  }

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private static void call(Channel channel, MethodDescriptor<?, ?> method) {
    MethodDescriptor<byte[], byte[]> plain =
        MethodDescriptor.newBuilder(BYTES, BYTES)
            .setFullMethodName(method.getFullMethodName())
            .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
            .build();
    ClientCalls.blockingServerStreamingCall(channel, plain, CallOptions.DEFAULT, new byte[0])
        .forEachRemaining(answer -> {});
  }

  @Test
  void sessionsAreLimitedAndThoseWithoutStateCostNone() throws Exception {
    List<Connection> open = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) {
        Connection stateless = service.connect();
        open.add(stateless);
        rows(stateless, "SELECT 1");
      }
      for (int i = 0; i < 3; i++) {
        FlightService.run(open.get(i), "SET timezone = 'Asia/Tokyo'");
      }
      assertThatThrownBy(() -> FlightService.run(open.get(3), "SET timezone = 'Asia/Tokyo'"))
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("sessions are open, which is the limit");
    } finally {
      for (Connection connection : open) {
        connection.close();
      }
    }
  }

  @Test
  void overTlsPasswordsAreTakenFromAnywhere() throws Exception {
    Optional<InetAddress> outside = outside();
    assumeTrue(outside.isPresent(), "this machine has no address but loopback");
    Path store = directory.resolve("key.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "varve",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:" + outside.get().getHostAddress(),
                "-storetype",
                "PKCS12",
                "-storepass",
                "secret",
                "-keystore",
                store.toString())
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
    Path certificate = directory.resolve("certificate.pem");
    Path key = directory.resolve("key.pem");
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate("varve").getEncoded()));
    Files.writeString(
        key, pem("PRIVATE KEY", keys.getKey("varve", "secret".toCharArray()).getEncoded()));
    Home home = new Home(directory.resolve("tls/home")).create();
    Files.writeString(
        home.configuration(), "tls.certificate = " + certificate + "\ntls.key = " + key + "\n");
    ServiceConfiguration everywhere =
        ConfigurationFile.read(home.configuration()).withAddress("0.0.0.0");
    try (FlightService encrypted = new FlightService(directory.resolve("tls"), everywhere)) {
      assertThat(encrypted.url()).endsWith("useEncryption=true");
      String url = encrypted.url().replace("0.0.0.0", outside.get().getHostAddress());
      try (Connection connection =
          connectTo(url, encrypted.password(), "tlsRootCerts", certificate.toString())) {
        assertThat(rows(connection, "SELECT current_user")).containsExactly(List.of("admin"));
      }
      assertThatThrownBy(
              () -> connectTo(url, encrypted.password(), "useSystemTrustStore", "true").close())
          .isInstanceOf(SQLException.class);
    }
  }

  private static String pem(String what, byte[] bytes) {
    return "-----BEGIN "
        + what
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
        + "\n-----END "
        + what
        + "-----\n";
  }

  @Test
  void inPlainTextPasswordsAreTakenFromThisMachineOnly() throws Exception {
    Optional<InetAddress> outside = outside();
    assumeTrue(outside.isPresent(), "this machine has no address but loopback");
    try (FlightService open =
        new FlightService(
            directory.resolve("open"), ServiceConfiguration.DEFAULTS.withAddress("0.0.0.0"))) {
      connectTo(open.url().replace("0.0.0.0", "127.0.0.1"), open.password()).close();
      String url = open.url().replace("0.0.0.0", outside.get().getHostAddress());
      assertThatThrownBy(() -> connectTo(url, open.password()).close())
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("over TLS or from this machine only");
      Properties token = new Properties();
      token.setProperty("token", open.token());
      try (Connection connection = DriverManager.getConnection(url, token)) {
        assertThat(rows(connection, "SELECT 1")).containsExactly(List.of(1));
      }
    }
  }

  private static Optional<InetAddress> outside() throws Exception {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(a -> a instanceof Inet4Address && !a.isLoopbackAddress())
        .findFirst();
  }
}
