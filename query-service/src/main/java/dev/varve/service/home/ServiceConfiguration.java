package dev.varve.service.home;

import dev.varve.engine.config.Settings;
import dev.varve.service.storage.StorageConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What can be set for a process, by {@code varve.properties} in its home or on the command line.
 *
 * @param address the interface that HTTP listens on
 * @param port 0 takes a free one
 * @param flightPort of Flight SQL, on the same interface; 0 takes a free one, {@link #OFF} none
 * @param postgresPort of PostgreSQL's protocol, likewise
 * @param tls what these two show their clients; without it, they are in plain text
 * @param fileRoots directories, with real paths, that {@code COPY} and {@code FROM 'path'} may use
 * @param maxBodyBytes limit of a request's body
 * @param maxSqlLength limit of a statement's text, in characters
 * @param maxRunningQueries more are refused
 * @param maxSessions sessions held by clients; more are refused
 * @param resultBufferBytes rows computed ahead of a query's client; a full buffer stops the query
 *     until the client fetches
 * @param queryAbandonedAfter a query that nobody asks about for so long is cancelled
 * @param queryKeptFor how long an ended query can still be asked about
 * @param sessionAbandonedAfter a session without a statement for so long is closed
 * @param spillBytes disk that all queries together may take for what does not fit into memory
 * @param storage where tables and files lie
 * @param database the catalog's database; a file in the home where there is none
 * @param index how the layout index is kept
 * @param settings the settings that sessions start with
 */
public record ServiceConfiguration(
    String address,
    int port,
    int flightPort,
    int postgresPort,
    Optional<Tls> tls,
    List<Path> fileRoots,
    long maxBodyBytes,
    int maxSqlLength,
    int maxRunningQueries,
    int maxSessions,
    long resultBufferBytes,
    Duration queryAbandonedAfter,
    Duration queryKeptFor,
    Duration sessionAbandonedAfter,
    long spillBytes,
    StorageConfiguration storage,
    Optional<DatabaseConfiguration> database,
    IndexConfiguration index,
    Settings settings) {
  public static final int DEFAULT_PORT = 8181;
  public static final int DEFAULT_FLIGHT_PORT = 50_051;
  public static final int DEFAULT_POSTGRES_PORT = 5433;

  /** A port that is not listened on. */
  public static final int OFF = -1;

  /** A certificate chain and its private key, as PEM files. */
  public record Tls(Path certificate, Path key) {}

  public static final ServiceConfiguration DEFAULTS =
      new ServiceConfiguration(
          "127.0.0.1",
          DEFAULT_PORT,
          DEFAULT_FLIGHT_PORT,
          DEFAULT_POSTGRES_PORT,
          Optional.empty(),
          List.of(),
          8L << 20,
          1_000_000,
          64,
          1000,
          8L << 20,
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30),
          Long.MAX_VALUE,
          StorageConfiguration.DEFAULTS,
          Optional.empty(),
          IndexConfiguration.DEFAULTS,
          Settings.DEFAULTS);

  public ServiceConfiguration {
    fileRoots = List.copyOf(fileRoots);
  }

  public ServiceConfiguration withAddress(String value) {
    return new ServiceConfiguration(
        value,
        port,
        flightPort,
        postgresPort,
        tls,
        fileRoots,
        maxBodyBytes,
        maxSqlLength,
        maxRunningQueries,
        maxSessions,
        resultBufferBytes,
        queryAbandonedAfter,
        queryKeptFor,
        sessionAbandonedAfter,
        spillBytes,
        storage,
        database,
        index,
        settings);
  }

  /** Where a free port is taken for HTTP, the other ports are free ones too. */
  public ServiceConfiguration withPort(int value) {
    return withPorts(value, freeWith(value, flightPort), freeWith(value, postgresPort));
  }

  public ServiceConfiguration withFlightPort(int value) {
    return withPorts(port, value, postgresPort);
  }

  public ServiceConfiguration withPostgresPort(int value) {
    return withPorts(port, flightPort, value);
  }

  private static int freeWith(int http, int other) {
    return http == 0 && other != OFF ? 0 : other;
  }

  private ServiceConfiguration withPorts(int http, int flight, int postgres) {
    return new ServiceConfiguration(
        address,
        http,
        flight,
        postgres,
        tls,
        fileRoots,
        maxBodyBytes,
        maxSqlLength,
        maxRunningQueries,
        maxSessions,
        resultBufferBytes,
        queryAbandonedAfter,
        queryKeptFor,
        sessionAbandonedAfter,
        spillBytes,
        storage,
        database,
        index,
        settings);
  }

  public ServiceConfiguration withFileRoots(List<Path> value) {
    return new ServiceConfiguration(
        address,
        port,
        flightPort,
        postgresPort,
        tls,
        value,
        maxBodyBytes,
        maxSqlLength,
        maxRunningQueries,
        maxSessions,
        resultBufferBytes,
        queryAbandonedAfter,
        queryKeptFor,
        sessionAbandonedAfter,
        spillBytes,
        storage,
        database,
        index,
        settings);
  }

  public ServiceConfiguration withStorage(StorageConfiguration value) {
    return new ServiceConfiguration(
        address,
        port,
        flightPort,
        postgresPort,
        tls,
        fileRoots,
        maxBodyBytes,
        maxSqlLength,
        maxRunningQueries,
        maxSessions,
        resultBufferBytes,
        queryAbandonedAfter,
        queryKeptFor,
        sessionAbandonedAfter,
        spillBytes,
        value,
        database,
        index,
        settings);
  }
}
