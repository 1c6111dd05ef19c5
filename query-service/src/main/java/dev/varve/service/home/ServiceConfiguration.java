package dev.varve.service.home;

import dev.varve.engine.config.Settings;
import dev.varve.service.storage.StorageConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What can be set for a process, by {@code varve.properties} in its home or on the command line.
 *
 * @param address the interface that HTTP listens on
 * @param port 0 takes a free one
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
 * @param settings the settings that sessions start with
 */
public record ServiceConfiguration(
    String address,
    int port,
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
    Settings settings) {
  public static final int DEFAULT_PORT = 8181;

  public static final ServiceConfiguration DEFAULTS =
      new ServiceConfiguration(
          "127.0.0.1",
          DEFAULT_PORT,
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
          Settings.DEFAULTS);

  public ServiceConfiguration {
    fileRoots = List.copyOf(fileRoots);
  }

  public ServiceConfiguration withAddress(String value) {
    return new ServiceConfiguration(
        value,
        port,
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
        settings);
  }

  public ServiceConfiguration withPort(int value) {
    return new ServiceConfiguration(
        address,
        value,
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
        settings);
  }

  public ServiceConfiguration withFileRoots(List<Path> value) {
    return new ServiceConfiguration(
        address,
        port,
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
        settings);
  }

  public ServiceConfiguration withStorage(StorageConfiguration value) {
    return new ServiceConfiguration(
        address,
        port,
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
        settings);
  }
}
