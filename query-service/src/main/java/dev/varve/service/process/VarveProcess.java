package dev.varve.service.process;

import dev.varve.layout.io.FileRoots;
import dev.varve.service.flight.FlightEndpoint;
import dev.varve.service.home.DatabaseConfiguration;
import dev.varve.service.home.Home;
import dev.varve.service.home.HomeLock;
import dev.varve.service.home.RunningServer;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.home.StartFailure;
import dev.varve.service.postgres.PostgresEndpoint;
import dev.varve.service.security.SecurityConfiguration.LocalAccess;
import dev.varve.service.security.Tokens;
import dev.varve.service.security.Users;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * A running Varve: holds the home's lock, serves HTTP, and can be found by programs of the same
 * user. Closing it, or ending the process by a signal, cancels what runs and closes the catalog.
 */
public final class VarveProcess implements AutoCloseable {
  /**
   * How to start.
   *
   * @param openToLocal let requests of this machine in without a login
   * @param createAdministrator make up an administrator's password if there is no user yet
   * @param logToConsole errors go to standard error too
   */
  public record Options(
      Home home,
      ServiceConfiguration configuration,
      boolean openToLocal,
      boolean createAdministrator,
      boolean logToConsole) {}

  private final Home home;
  private final HomeLock lock;
  private final ConfigurableApplicationContext context;
  private final ServiceConfiguration configuration;
  private final RunningServer server;
  private final Optional<String> administratorPassword;
  private final AtomicBoolean closed = new AtomicBoolean();

  private VarveProcess(
      Home home, HomeLock lock, ConfigurableApplicationContext context, Options options) {
    this.home = home;
    this.lock = lock;
    this.context = context;
    this.configuration = options.configuration();
    WebServerApplicationContext web = (WebServerApplicationContext) context;
    int port = java.util.Objects.requireNonNull(web.getWebServer()).getPort();
    this.server =
        new RunningServer(
            URI.create("http://" + literal(options.configuration().address()) + ":" + port),
            context.getBean(Tokens.class).localSecret());
    this.administratorPassword =
        options.createAdministrator()
            ? context.getBean(Users.class).createFirstAdministrator()
            : Optional.empty();
  }

  /**
   * @throws StartFailure if the process cannot start for a reason its user can remove
   */
  public static VarveProcess start(Options options) {
    Home home = options.home().create();
    HomeLock lock = HomeLock.acquire(home);
    ConfigurableApplicationContext context = null;
    try {
      RunningServer.withdraw(home);
      ServiceConfiguration configuration = options.configuration();
      probePort(configuration, configuration.port(), e -> portFailure(configuration, e));
      probePort(
          configuration,
          configuration.flightPort(),
          e -> FlightEndpoint.cannotListen(configuration, e));
      context = startContext(options);
      VarveProcess process = new VarveProcess(home, lock, context, options);
      process.server.publish(home);
      Runtime.getRuntime().addShutdownHook(new Thread(process::close, "varve-shutdown"));
      return process;
    } catch (RuntimeException e) {
      if (context != null) {
        context.close();
      }
      closeQuietly(lock);
      throw e instanceof StartFailure failure ? failure : failure(e, options);
    }
  }

  private static ConfigurableApplicationContext startContext(Options options) {
    Home home = options.home();
    System.setProperty("varve.log.file", home.logs().resolve("varve.log").toString());
    System.setProperty("varve.log.console", options.logToConsole() ? "ERROR" : "OFF");
    SpringApplicationBuilder builder =
        new SpringApplicationBuilder(ServiceApplication.class)
            .web(WebApplicationType.SERVLET)
            .bannerMode(Banner.Mode.OFF)
            .logStartupInfo(false)
            .registerShutdownHook(false)
            .initializers(
                (GenericApplicationContext context) -> {
                  context.registerBean(Home.class, () -> home);
                  context.registerBean(ServiceConfiguration.class, options::configuration);
                  context.registerBean(
                      LocalAccess.class, () -> new LocalAccess(options.openToLocal()));
                });
    return builder.run(arguments(options));
  }

  /** As command-line arguments, which neither the environment nor a file can override. */
  private static String[] arguments(Options options) {
    Map<String, Object> values = new HashMap<>();
    values.put("server.address", options.configuration().address());
    values.put("server.port", options.configuration().port());
    values.put("server.tomcat.basedir", options.home().temporary().resolve("tomcat"));
    values.put("spring.config.location", "classpath:/application.properties");
    options
        .configuration()
        .database()
        .ifPresentOrElse(
            database -> putDatabase(values, database),
            () -> values.put("varve.catalog.database-file", databaseFile(options.home())));
    // Iceberg's locations are not percent-encoded, whatever is in the path.
    values.put("varve.catalog.indexing", options.configuration().index().background());
    values.put("varve.catalog.warehouse", warehouse(options));
    values.put(
        "varve.catalog.least-age", options.configuration().storage().leastAge().toSeconds() + "s");
    List<String> tableRoots = tableRoots(options);
    for (int i = 0; i < tableRoots.size(); i++) {
      values.put("varve.catalog.roots[" + i + "]", tableRoots.get(i));
    }
    return values.entrySet().stream()
        .map(e -> "--" + e.getKey() + "=" + e.getValue())
        .toArray(String[]::new);
  }

  /**
   * A pool that gives a request up soon when the database is away, and notices connections that
   * died without a word.
   */
  private static void putDatabase(Map<String, Object> values, DatabaseConfiguration database) {
    values.put("spring.datasource.url", database.url());
    database.user().ifPresent(user -> values.put("spring.datasource.username", user));
    database.password().ifPresent(secret -> values.put("spring.datasource.password", secret));
    String pool = "spring.datasource.hikari.";
    values.put(pool + "pool-name", "catalog");
    values.put(pool + "maximum-pool-size", 32);
    values.put(pool + "minimum-idle", 2);
    values.put(pool + "connection-timeout", 5_000);
    values.put(pool + "validation-timeout", 2_000);
    String driver = pool + "data-source-properties.";
    values.put(driver + "connectTimeout", 5);
    values.put(driver + "socketTimeout", 120);
    values.put(driver + "tcpKeepAlive", true);
    values.put(driver + "reWriteBatchedInserts", true);
    // Byte arrays are sent as they are from the first execution on, not as text.
    values.put(driver + "prepareThreshold", -1);
  }

  private static String warehouse(Options options) {
    return options
        .configuration()
        .storage()
        .warehouse()
        .orElse("file://" + options.home().warehouse());
  }

  /**
   * A directory that has the home's own files in it, or lies among them, is no place for tables.
   */
  private static List<String> tableRoots(Options options) {
    Path home = options.home().root();
    return options.configuration().storage().roots().stream()
        .filter(
            root ->
                FileRoots.isObject(root)
                    || !(home.startsWith(root) || Path.of(root).startsWith(home)))
        .toList();
  }

  /** The database's address has no way to quote what separates its options. */
  private static String databaseFile(Home home) {
    String file = home.catalog().resolve("varve").toString();
    if (file.contains(";")) {
      throw new StartFailure("the home's path may not contain ';': " + home.root());
    }
    return file;
  }

  /** Says that a port is taken before anything has been started, and so in one line. */
  private static void probePort(
      ServiceConfiguration configuration, int port, Function<BindException, StartFailure> inUse) {
    if (port == 0 || port == ServiceConfiguration.OFF) {
      return;
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.ofLiteral(configuration.address()), port));
    } catch (BindException e) {
      throw inUse.apply(e);
    } catch (IOException e) {
      throw new StartFailure(
          "cannot listen on " + configuration.address() + ": " + e.getMessage(), e);
    }
  }

  private static StartFailure failure(RuntimeException failure, Options options) {
    Throwable root = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof StartFailure known) {
        return known;
      }
      if (cause instanceof PortInUseException || cause instanceof BindException) {
        return portFailure(options.configuration(), cause);
      }
      root = cause;
    }
    return new StartFailure(
        "cannot start: "
            + (root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage())
            + " (details in "
            + options.home().logs().resolve("varve.log")
            + ")",
        failure);
  }

  private static StartFailure portFailure(ServiceConfiguration configuration, Throwable cause) {
    boolean inUse = String.valueOf(cause.getMessage()).contains("in use");
    return new StartFailure(
        inUse || cause instanceof PortInUseException
            ? "port "
                + configuration.port()
                + " of "
                + configuration.address()
                + " is in use by another program; choose another with --port (0 takes a free one)"
            : "cannot listen on "
                + configuration.address()
                + " port "
                + configuration.port()
                + ": "
                + cause.getMessage(),
        cause);
  }

  private static String literal(String address) {
    return address.contains(":") ? "[" + address + "]" : address;
  }

  public RunningServer server() {
    return server;
  }

  /** Where JDBC tools connect; empty if Flight SQL is off. */
  public Optional<String> jdbcUrl() {
    OptionalInt port = context.getBean(FlightEndpoint.class).port();
    return port.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "jdbc:arrow-flight-sql://"
                + literal(configuration.address())
                + ":"
                + port.getAsInt()
                + "?useEncryption="
                + configuration.tls().isPresent());
  }

  /** Where psql connects; empty if PostgreSQL's protocol is off. */
  public Optional<String> postgresUrl() {
    OptionalInt port = context.getBean(PostgresEndpoint.class).port();
    return port.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "postgresql://admin@"
                + literal(configuration.address())
                + ":"
                + port.getAsInt()
                + "/lake");
  }

  /** The password made up at this start, to be told to the user once. */
  public Optional<String> administratorPassword() {
    return administratorPassword;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      RunningServer.withdraw(home);
      context.close();
      closeQuietly(lock);
    }
  }

  private static void closeQuietly(HomeLock lock) {
    try {
      lock.close();
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(VarveProcess.class).warn("giving the lock back failed", e);
    }
  }
}
