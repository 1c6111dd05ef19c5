package dev.varve.service;

import dev.varve.service.client.VarveClient;
import dev.varve.service.home.Home;
import dev.varve.service.home.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Varve in a process of its own, as the launcher starts it but from this test's class path, or from
 * the packed jar that {@code varve.jar} names.
 */
final class ChildService implements AutoCloseable {
  private final Process process;
  private final Home home;
  private final Path out;
  private final Path errors;

  private ChildService(Process process, Home home, Path out, Path errors) {
    this.process = process;
    this.home = home;
    this.out = out;
    this.errors = errors;
  }

  /** Starts a command without waiting for anything. */
  static ChildService launch(Path directory, Home home, String... arguments) throws IOException {
    Files.createDirectories(directory);
    Path temporary = Files.createDirectories(directory.resolve("child-tmp"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx1g",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.io.tmpdir=" + temporary,
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED"));
    String packed = System.getProperty("varve.jar");
    command.addAll(
        packed != null
            ? List.of("-jar", packed)
            : List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--home", home.root().toString()));
    Path out = Files.createTempFile(directory, "out", ".txt");
    Path errors = Files.createTempFile(directory, "err", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(out.toFile())
            .redirectError(errors.toFile())
            .start();
    return new ChildService(process, home, out, errors);
  }

  /** Starts the service on a free port and waits until it can be found. */
  static ChildService start(Path directory, Home home) throws Exception {
    ChildService child = launch(directory, home, "start", "--port", "0");
    child.awaitRunning();
    return child;
  }

  private void awaitRunning() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (RunningServer.find(home).isEmpty()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException("the service does not start: " + output() + errorOutput());
      }
      Thread.sleep(50);
    }
  }

  VarveClient client() {
    Optional<RunningServer> server = RunningServer.find(home);
    return VarveClient.withToken(server.orElseThrow().url(), server.orElseThrow().token());
  }

  RunningServer server() {
    return RunningServer.find(home).orElseThrow();
  }

  String output() throws IOException {
    return Files.readString(out);
  }

  String errorOutput() throws IOException {
    return Files.readString(errors);
  }

  long pid() {
    return process.pid();
  }

  int awaitExit() throws InterruptedException {
    if (!process.waitFor(90, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the process does not end");
    }
    return process.exitValue();
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** SIGKILL, and waits until the process is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
