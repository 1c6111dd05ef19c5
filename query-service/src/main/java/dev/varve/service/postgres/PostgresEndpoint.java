package dev.varve.service.postgres;

import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.home.StartFailure;
import dev.varve.service.query.QueryService;
import dev.varve.service.query.SessionService;
import dev.varve.service.security.Authenticator;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Listens for PostgreSQL clients; each has a thread of its own. Started and stopped with the
 * process, after the queries have ended.
 */
public final class PostgresEndpoint implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresEndpoint.class);
  private static final int PROTOCOL_3 = 3 << 16;
  private static final int CANCEL_REQUEST = 80877102;
  private static final int TLS_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final int LOGIN_MILLIS = 30_000;
  private static final int BACKLOG = 128;

  private final ServiceConfiguration configuration;
  private final Authenticator authenticator;
  private final SessionService sessions;
  private final QueryService queries;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final AtomicInteger lastProcess = new AtomicInteger();
  private final Map<Long, Connection> connections = new ConcurrentHashMap<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private @Nullable ServerSocket listening;
  private @Nullable SSLContext tls;

  PostgresEndpoint(
      ServiceConfiguration configuration,
      Authenticator authenticator,
      SessionService sessions,
      QueryService queries,
      Clock clock) {
    this.configuration = configuration;
    this.authenticator = authenticator;
    this.sessions = sessions;
    this.queries = queries;
    this.clock = clock;
  }

  /** Where it listens; empty if it does not. */
  public synchronized OptionalInt port() {
    ServerSocket socket = listening;
    return socket == null ? OptionalInt.empty() : OptionalInt.of(socket.getLocalPort());
  }

  public int connectionCount() {
    return sockets.size();
  }

  @Override
  public synchronized void start() {
    if (configuration.postgresPort() == ServiceConfiguration.OFF || listening != null) {
      return;
    }
    try {
      tls = configuration.tls().isPresent() ? TlsContext.of(configuration.tls().get()) : null;
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(
          new InetSocketAddress(
              InetAddress.ofLiteral(configuration.address()), configuration.postgresPort()),
          BACKLOG);
      listening = socket;
      Thread.ofPlatform().daemon().name("postgres-accept").start(() -> accept(socket));
    } catch (IOException e) {
      throw new StartFailure(
          "cannot listen for PostgreSQL clients on "
              + configuration.address()
              + " port "
              + configuration.postgresPort()
              + ": "
              + e.getMessage()
              + "; choose another with --postgres-port or postgres.port (0 takes a free one, off"
              + " none)",
          e);
    }
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        sockets.add(client);
        // A platform thread: virtual ones wait behind queries that keep their carriers busy.
        Thread.ofPlatform().daemon().name("postgres-client").start(() -> serve(client));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          LOG.warn("accepting a PostgreSQL client failed", e);
        }
      }
    }
  }

  private void serve(Socket raw) {
    try (raw) {
      raw.setTcpNoDelay(true);
      raw.setKeepAlive(true);
      raw.setSoTimeout(LOGIN_MILLIS);
      serve(raw, false);
    } catch (IOException e) {
      LOG.debug("a PostgreSQL client went away", e);
    } catch (RuntimeException e) {
      LOG.error("a PostgreSQL connection failed unexpectedly", e);
    } finally {
      sockets.remove(raw);
    }
  }

  private void serve(Socket socket, boolean encrypted) throws IOException {
    WireInput in = new WireInput(socket);
    WireOutput out = new WireOutput(socket.getOutputStream());
    Replies replies = new Replies(out);
    try {
      while (true) {
        WireInput.Message message = in.startup();
        int code = message.content().getInt();
        switch (code) {
          case TLS_REQUEST -> {
            SSLContext context = tls;
            boolean possible = context != null && !encrypted;
            out.raw(possible ? 'S' : 'N');
            if (context != null && possible) {
              if (!in.isEmpty()) {
                throw WireInput.wrong("plain text after a request for TLS");
              }
              encrypt(socket, context);
              return;
            }
          }
          case GSS_REQUEST -> out.raw('N');
          case CANCEL_REQUEST -> {
            cancel(message.content().getInt(), message.content().getInt());
            return;
          }
          default -> {
            if (code >> 16 != PROTOCOL_3 >> 16) {
              throw WireInput.wrong("version " + (code >> 16) + " of the protocol");
            }
            if ((code & 0xFFFF) != 0) {
              negotiate(out);
            }
            session(parameters(message), socket, encrypted, in, out, replies);
            return;
          }
        }
      }
    } catch (VarveException | java.nio.BufferUnderflowException e) {
      replies.fatal(
          e instanceof VarveException ? e : WireInput.wrong("a message that ends too early"));
      out.flush();
    }
  }

  /** To a client of a later minor version: this one, and no options of it. */
  private static void negotiate(WireOutput out) throws IOException {
    out.begin('v').int32(0).int32(0).end();
  }

  private void encrypt(Socket socket, SSLContext context) throws IOException {
    SSLSocket encrypted =
        (SSLSocket)
            context.getSocketFactory().createSocket(socket, InputStream.nullInputStream(), false);
    encrypted.setUseClientMode(false);
    encrypted.startHandshake();
    serve(encrypted, true);
  }

  private static Map<String, String> parameters(WireInput.Message message) {
    Map<String, String> parameters = new HashMap<>();
    String name = message.string();
    while (!name.isEmpty()) {
      parameters.put(name, message.string());
      name = message.string();
    }
    return parameters;
  }

  private void cancel(int process, int secret) {
    Connection connection = connections.get(key(process, secret));
    if (connection != null) {
      connection.cancel();
    }
  }

  private static long key(int process, int secret) {
    return (long) process << 32 | Integer.toUnsignedLong(secret);
  }

  private void session(
      Map<String, String> startup,
      Socket socket,
      boolean encrypted,
      WireInput in,
      WireOutput out,
      Replies replies)
      throws IOException {
    if (sockets.size() > configuration.maxSessions()) {
      throw new VarveException(
          ErrorCode.TOO_MANY_QUERIES,
          "sorry, too many clients already: " + configuration.maxSessions() + " is the limit");
    }
    Principal principal =
        new Login(authenticator)
            .login(
                startup.getOrDefault("user", ""),
                socket.getInetAddress(),
                encrypted,
                in,
                out,
                replies);
    socket.setSoTimeout((int) configuration.sessionAbandonedAfter().toMillis());
    int process = lastProcess.incrementAndGet();
    int secret = random.nextInt();
    try (Connection connection =
        new Connection(configuration, clock, sessions, queries, principal, startup, in, out)) {
      connections.put(key(process, secret), connection);
      connection.serve(process, secret);
    } catch (java.net.SocketTimeoutException e) {
      replies.fatal(
          new VarveException(
              ErrorCode.SHUTTING_DOWN, "the connection was closed: it was idle for too long"));
      out.flush();
    } finally {
      connections.remove(key(process, secret));
    }
  }

  @Override
  public synchronized void stop() {
    ServerSocket socket = listening;
    listening = null;
    if (socket == null) {
      return;
    }
    closeQuietly(socket);
    sockets.forEach(PostgresEndpoint::closeQuietly);
  }

  private static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      LOG.debug("closing a socket failed", e);
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return listening != null;
  }

  /** Stops after the queries, which are what its connections wait for. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }
}
