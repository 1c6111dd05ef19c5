package dev.varve.catalog;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A PostgreSQL that can be killed and started again on the same port and data. What it has
 * acknowledged is in its log files, unlike in the settings that tests are usually run with.
 */
final class KillablePostgres implements AutoCloseable {
  private static final long START_SECONDS = 60;

  private final Path data;
  private final EmbeddedPostgres server;

  /** How the server was started. */
  private final List<String> command = new ArrayList<>();

  KillablePostgres(Path directory) throws IOException {
    this.data = directory.resolve("postgres");
    this.server =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setPGStartupWait(Duration.ofSeconds(START_SECONDS))
            .start();
    ProcessHandle.Info postmaster = postmaster().info();
    if (System.getProperty("user.name").equals("root")) {
      // PostgreSQL refuses to run as root.
      command.addAll(List.of("unshare", "-U"));
    }
    command.add(postmaster.command().orElseThrow());
    command.addAll(List.of(postmaster.arguments().orElseThrow()));
  }

  private ProcessHandle postmaster() throws IOException {
    List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
    return ProcessHandle.of(Long.parseLong(lines.getFirst().strip())).orElseThrow();
  }

  String url() {
    return server.getJdbcUrl("postgres", "postgres");
  }

  /** SIGKILL to the server and its sessions. */
  void kill() throws Exception {
    ProcessHandle postmaster = postmaster();
    List<ProcessHandle> processes = new ArrayList<>(postmaster.children().toList());
    processes.addFirst(postmaster);
    processes.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : processes) {
      process.onExit().get(START_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Starts the server again, on the same port and data, and waits until it answers. */
  void restart() throws Exception {
    Path log = Files.createTempFile(data.getParent(), "postgres", ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (true) {
      try (Connection connection = DriverManager.getConnection(url())) {
        return;
      } catch (SQLException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new IllegalStateException("it does not start: " + Files.readString(log), e);
        }
        Thread.sleep(20);
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
