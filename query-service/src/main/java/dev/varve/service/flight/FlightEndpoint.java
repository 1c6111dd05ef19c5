package dev.varve.service.flight;

import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.home.StartFailure;
import dev.varve.service.query.QueryService;
import dev.varve.service.query.SessionService;
import dev.varve.service.security.Authenticator;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.time.Clock;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.Location;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** The Flight server. Started and stopped with the process, after the queries have ended. */
public final class FlightEndpoint implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(FlightEndpoint.class);

  /** What all clients' batches on their way take at most. */
  private static final long BUFFER_BYTES = 512L << 20;

  /** What waits for one client in the server, beyond its query's buffer. */
  private static final int UNSENT_BYTES = 2 << 20;

  private static final int CALLS_OF_A_CONNECTION = 256;
  private static final long STOP_SECONDS = 5;

  /** A client whose machine is gone is noticed after both. */
  private static final long SILENT_SECONDS = 60;

  private static final long ANSWER_SECONDS = 20;

  private final ServiceConfiguration configuration;
  private final Authenticator authenticator;
  private final SessionService sessions;
  private final QueryService queries;
  private final Clock clock;
  private @Nullable Running running;

  private record Running(FlightServer server, BufferAllocator allocator, ExecutorService calls) {}

  FlightEndpoint(
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
    Running now = running;
    return now == null ? OptionalInt.empty() : OptionalInt.of(now.server().getPort());
  }

  /** Bytes in batches on their way to clients. */
  public synchronized long bufferedBytes() {
    Running now = running;
    return now == null ? 0 : now.allocator().getAllocatedMemory();
  }

  @Override
  public synchronized void start() {
    if (configuration.flightPort() == ServiceConfiguration.OFF || running != null) {
      return;
    }
    BufferAllocator allocator = new RootAllocator(BUFFER_BYTES);
    ExecutorService calls =
        // Platform threads: virtual ones wait behind queries that keep their carriers busy.
        Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("flight-call-", 0).factory());
    try {
      running = new Running(builder(allocator, calls).build().start(), allocator, calls);
    } catch (IOException | RuntimeException e) {
      calls.shutdown();
      allocator.close();
      throw cannotListen(configuration, e);
    }
  }

  /** What to say when its port cannot be had. */
  public static StartFailure cannotListen(ServiceConfiguration configuration, Exception cause) {
    return new StartFailure(
        "Flight SQL cannot listen on "
            + configuration.address()
            + " port "
            + configuration.flightPort()
            + ": "
            + rootMessage(cause)
            + "; choose another with --flight-port or flight.port (0 takes a free one, off none)",
        cause);
  }

  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  private FlightServer.Builder builder(BufferAllocator allocator, ExecutorService calls)
      throws IOException {
    String host = configuration.address();
    int port = configuration.flightPort();
    Consumer<NettyServerBuilder> transport =
        grpc ->
            grpc.intercept(new LoginInterceptor(authenticator))
                .maxConcurrentCallsPerConnection(CALLS_OF_A_CONNECTION)
                .keepAliveTime(SILENT_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(ANSWER_SECONDS, TimeUnit.SECONDS);
    FlightServer.Builder builder =
        FlightServer.builder(
                allocator,
                configuration.tls().isPresent()
                    ? Location.forGrpcTls(host, port)
                    : Location.forGrpcInsecure(host, port),
                new SqlProducer(
                    queries,
                    new PreparedStatements(configuration, clock),
                    configuration,
                    allocator))
            .middleware(CallerMiddleware.KEY, new CallerMiddleware.Factory(sessions))
            .executor(calls)
            .backpressureThreshold(UNSENT_BYTES)
            .maxInboundMessageSize((int) Math.min(Integer.MAX_VALUE, configuration.maxBodyBytes()))
            .transportHint("grpc.builderConsumer", transport);
    if (configuration.tls().isPresent()) {
      ServiceConfiguration.Tls tls = configuration.tls().get();
      builder.useTls(tls.certificate().toFile(), tls.key().toFile());
    }
    return builder;
  }

  @Override
  public synchronized void stop() {
    Running now = running;
    running = null;
    if (now == null) {
      return;
    }
    try {
      now.server().shutdown();
      if (!now.server().awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        now.server().close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    now.calls().shutdown();
    try {
      now.allocator().close();
    } catch (IllegalStateException e) {
      LOG.error("Flight buffers were not given back", e);
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return running != null;
  }

  /** Stops after the queries, which are what its calls wait for. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }
}
