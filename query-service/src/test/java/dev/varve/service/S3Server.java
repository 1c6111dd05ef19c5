package dev.varve.service;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * An S3 server in a process of its own, with one bucket. Its jars are resolved by Maven into a
 * folder the first time, and are on no class path of ours.
 */
final class S3Server implements AutoCloseable {
  static final String BUCKET = "lake";

  private final Process process;
  private final int port;

  private S3Server(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static S3Server start(Path directory) throws Exception {
    Path jars = jars();
    int port = freePort();
    Path log = directory.resolve("s3mock.log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("s3mock-tmp")),
                "-cp",
                jars + "/*",
                "com.adobe.testing.s3mock.S3MockApplication",
                "--http.port=" + port,
                "--server.port=" + freePort(),
                "--com.adobe.testing.s3mock.store.initial-buckets=" + BUCKET)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    S3Server server = new S3Server(process, port);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!server.answers()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        server.close();
        throw new IllegalStateException("the S3 server does not start: " + Files.readString(log));
      }
      Thread.sleep(50);
    }
    return server;
  }

  int port() {
    return port;
  }

  private boolean answers() throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create("http://127.0.0.1:" + port + "/" + BUCKET).toURL().openConnection();
    try {
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    } finally {
      connection.disconnect();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Path jars() throws Exception {
    Path jars = Path.of("target/s3mock").toAbsolutePath();
    if (!isComplete(jars)) {
      String failure = resolve(jars);
      if (!isComplete(jars)) {
        String message = "S3 is not tested: Maven cannot resolve the S3 server's jars: " + failure;
        System.out.println(message);
        Assumptions.abort(message);
      }
    }
    return jars;
  }

  private static boolean isComplete(Path jars) throws IOException {
    return Files.exists(jars.resolve("complete"));
  }

  private static String resolve(Path jars) throws Exception {
    Process maven;
    try {
      maven =
          new ProcessBuilder(
                  List.of(
                      "mvn",
                      "-q",
                      "-B",
                      "-f",
                      Path.of("src/test/s3mock/pom.xml").toAbsolutePath().toString(),
                      "dependency:copy-dependencies",
                      "-DincludeScope=runtime",
                      "-DoutputDirectory=" + jars))
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
    String output = new String(maven.getInputStream().readAllBytes());
    if (maven.waitFor() != 0) {
      return output.lines().limit(3).toList().toString();
    }
    try (Stream<Path> files = Files.list(jars)) {
      if (files.anyMatch(file -> file.getFileName().toString().startsWith("s3mock-"))) {
        Files.createFile(jars.resolve("complete"));
      }
    }
    return output;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }
}
