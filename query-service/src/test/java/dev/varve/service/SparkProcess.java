package dev.varve.service;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/**
 * Spark in a process of its own, over jars that are not on our class path. Keeps what is said in
 * both directions.
 */
final class SparkProcess implements AutoCloseable {
  private static final Path SOURCE = Path.of("src/test/spark/java/SparkSide.java");

  /** Spark's own options for a JDK with modules. */
  private static final List<String> OPENED_PACKAGES =
      List.of(
          "java.lang",
          "java.lang.invoke",
          "java.lang.reflect",
          "java.io",
          "java.net",
          "java.nio",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "sun.nio.ch",
          "sun.nio.cs",
          "sun.security.action",
          "sun.util.calendar");

  private final Process process;
  private final BufferedWriter in;
  private final BufferedReader out;
  private final Path errors;
  private final List<String> transcript = new ArrayList<>();

  /** A statement's rows, and the line that ends them. */
  record Answer(List<String> rows, String end) {}

  /**
   * @param jars the directory of Spark's jars
   * @param catalog the address of the Iceberg REST catalog
   */
  SparkProcess(Path directory, Path jars, URI catalog, String token) throws IOException {
    Path classes = Files.createDirectories(directory.resolve("spark-classes"));
    compile(jars, classes);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1500m", "-XX:+IgnoreUnrecognizedVMOptions"));
    for (String name : OPENED_PACKAGES) {
      command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED");
    }
    command.addAll(
        List.of(
            "--add-modules=jdk.incubator.vector",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("spark-tmp")),
            "-cp",
            classes + ":" + jars + "/*",
            "SparkSide",
            catalog.toString(),
            token));
    errors = directory.resolve("spark.log");
    process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(errors.toFile())
            .start();
    in =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    transcript.add(answer().end());
  }

  private static void compile(Path jars, Path classes) throws IOException {
    List<String> classPath = new ArrayList<>();
    try (var files = Files.list(jars)) {
      files.forEach(jar -> classPath.add(jar.toString()));
    }
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-d",
                classes.toString(),
                "-nowarn",
                "-cp",
                String.join(":", classPath),
                SOURCE.toString());
    if (failed != 0) {
      throw new IllegalStateException(SOURCE + " does not compile");
    }
  }

  private Answer answer() throws IOException {
    List<String> rows = new ArrayList<>();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("= ")) {
        return new Answer(rows, line.substring(2));
      }
      rows.add(line);
    }
    throw new IllegalStateException("Spark ended: " + tail());
  }

  private String tail() throws IOException {
    List<String> lines = Files.readAllLines(errors);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
  }

  /** Runs a statement, which may stand on several lines here. */
  List<String> sql(String statement) throws IOException {
    String line = statement.strip().replaceAll("\\s+", " ");
    in.write(line);
    in.newLine();
    in.flush();
    Answer answer = answer();
    say("spark> " + line);
    answer.rows().stream().limit(5).forEach(row -> say("  " + row));
    say("  " + answer.end());
    if (answer.end().startsWith("FAILED")) {
      throw new IllegalStateException(line + ": " + answer.end() + "\n" + tail());
    }
    return answer.rows();
  }

  /** The data files opened since the last call. */
  List<String> opened() throws IOException {
    in.write("opened");
    in.newLine();
    in.flush();
    Answer answer = answer();
    say("opened by Spark: " + answer.end());
    return answer.rows();
  }

  void say(String line) {
    transcript.add(line);
  }

  List<String> transcript() {
    return transcript;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    in.close();
    out.close();
  }
}
