package dev.varve.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher in a repository of stand-ins: a JDK whose java prints its arguments, a Maven that
 * makes a jar.
 */
@Timeout(60)
class LauncherTest {
  private static final Path LAUNCHER = Path.of("../varve").toAbsolutePath().normalize();

  @TempDir Path directory;
  private Path repository;
  private Path jdk;
  private Path tools;

  private record Result(int exitCode, String out, String errors) {}

  @BeforeEach
  void create() throws IOException {
    repository = Files.createDirectories(directory.resolve("a repository"));
    Files.copy(LAUNCHER, repository.resolve("varve"));
    repository.resolve("varve").toFile().setExecutable(true);
    Files.writeString(repository.resolve("pom.xml"), "<project/>");
    Files.createDirectories(repository.resolve("query-service/src/main"));
    Files.writeString(repository.resolve("query-service/pom.xml"), "<project/>");
    jdk = directory.resolve("jdk 25");
    jdk(jdk, "25.0.3");
    tools = Files.createDirectories(directory.resolve("tools"));
    script(
        tools.resolve("mvn"),
        """
        echo "[INFO] Building varve-layout 0.1 [1/2]"
        echo "called with $*" >> '%s/mvn-calls'
        mkdir -p '%s/query-service/target'
        echo jar > '%s/query-service/target/varve-query-service-0.1-exec.jar'
        """
            .formatted(directory, repository, repository));
  }

  private static void jdk(Path home, String version) throws IOException {
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/java"), "printf '%s\\n' \"$@\"");
    script(home.resolve("bin/javac"), "");
  }

  private static void script(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body);
    file.toFile().setExecutable(true);
  }

  private Result run(Map<String, String> environment, Path from, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(repository.resolve("varve").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(from.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", tools + ":/usr/bin:/bin");
    builder.environment().put("HOME", directory.toString());
    builder.environment().putAll(environment);
    Path out = Files.createTempFile(directory, "out", "");
    Path errors = Files.createTempFile(directory, "err", "");
    Process process = builder.redirectOutput(out.toFile()).redirectError(errors.toFile()).start();
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), Files.readString(out), Files.readString(errors));
  }

  private Result run(String... arguments) throws Exception {
    return run(Map.of("VARVE_JDK", jdk.toString()), directory, arguments);
  }

  @Test
  void aWrongJdkIsOneLineThatSaysWhatToInstall() throws Exception {
    jdk(directory.resolve("jdk17"), "17.0.1");
    Result result =
        run(Map.of("VARVE_JDK", directory.resolve("jdk17").toString()), directory, "start");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.errors().lines()).hasSize(1);
    assertThat(result.errors()).contains("is not a JDK 25").contains("temurin-25-jdk");
    assertThat(result.out()).isEmpty();
  }

  @Test
  void aMissingMavenIsOneLine() throws Exception {
    Files.delete(tools.resolve("mvn"));
    Path bare = Files.createDirectories(directory.resolve("bare"));
    for (String tool :
        List.of(
            "bash", "dirname", "readlink", "grep", "find", "mkdir", "awk", "cat", "sed", "tee")) {
      for (Path place : List.of(Path.of("/usr/bin"), Path.of("/bin"))) {
        if (Files.exists(place.resolve(tool)) && !Files.exists(bare.resolve(tool))) {
          Files.createSymbolicLink(bare.resolve(tool), place.resolve(tool));
        }
      }
    }
    Result result =
        run(Map.of("VARVE_JDK", jdk.toString(), "PATH", bare.toString()), directory, "start");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.errors().lines()).hasSize(1);
    assertThat(result.errors()).contains("Maven 3.8").contains("apt-get install maven");
  }

  @Test
  void itBuildsOnlyWhatIsMissingOrStaleAndPassesTheFlags() throws Exception {
    Result first = run("start", "--port", "0", "--home", "my home", "--memory", "3g");
    assertThat(first.exitCode()).as(first.errors()).isZero();
    assertThat(first.errors()).contains("[1/2] varve-layout");
    assertThat(first.out().lines())
        .contains(
            "-Xmx3g",
            "-XX:+UseG1GC",
            "-XX:G1HeapRegionSize=32m",
            "-Djava.io.tmpdir=" + directory.resolve("my home/tmp"),
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "start",
            "--port",
            "my home");

    assertThat(run("start").errors()).isEmpty();
    assertThat(Files.readAllLines(directory.resolve("mvn-calls"))).hasSize(1);

    Thread.sleep(20);
    Files.writeString(repository.resolve("query-service/src/main/New.java"), "class New {}");
    assertThat(run("start").errors()).contains("Building Varve");
    assertThat(Files.readAllLines(directory.resolve("mvn-calls"))).hasSize(2);
  }

  @Test
  void aBenchmarkRunsFromTheClassPathThatTheBuildLeft() throws Exception {
    Files.createDirectories(repository.resolve("benchmarks/target"));
    script(
        tools.resolve("mvn"),
        """
        echo "called with $*" >> '%s/mvn-calls'
        printf one.jar:two.jar > '%s/benchmarks/target/classpath'
        """
            .formatted(directory, repository));
    Result result = run("bench", "tpch", "--scale", "1", "--memory", "2g");
    assertThat(result.exitCode()).as(result.errors()).isZero();
    assertThat(result.out().lines())
        .contains("-Xmx2g", repository.resolve("benchmarks/target/classes") + ":one.jar:two.jar")
        .containsSubsequence("dev.varve.bench.Main", "tpch", "--scale", "1");
    assertThat(Files.readString(directory.resolve("mvn-calls"))).contains("-pl benchmarks -am");
    assertThat(run("bench", "kernels").errors()).isEmpty();
    assertThat(Files.readAllLines(directory.resolve("mvn-calls"))).hasSize(1);
  }

  @Test
  void aFailedBuildShowsItsErrorsAndEndsWithTwo() throws Exception {
    script(tools.resolve("mvn"), "echo '[ERROR] Foo.java:[1,2] no good'; exit 1\n");
    Result result = run("start");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.errors()).contains("no good").contains("target/build.log");
  }

  @Test
  void theHeapIsHalfOfTheMachineAndAtLeastAGigabyte() throws Exception {
    String heap =
        run("start").out().lines().filter(l -> l.startsWith("-Xmx")).findFirst().orElseThrow();
    assertThat(heap).matches("-Xmx\\d+m");
    assertThat(Long.parseLong(heap.substring(4, heap.length() - 1))).isGreaterThanOrEqualTo(1024);
  }

  @Test
  void itWorksThroughALinkFromAnyDirectory() throws Exception {
    Path link = directory.resolve("bin link");
    Files.createSymbolicLink(link, repository.resolve("varve"));
    Process process =
        new ProcessBuilder(link.toString(), "--help").directory(tools.toFile()).start();
    String help = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(help).contains("demo", "start", "sql", "test", "--home", "--memory");
  }

  @Test
  void testRunsMavenUnderTheJdkItFound() throws Exception {
    script(tools.resolve("mvn"), "echo \"$JAVA_HOME $*\"");
    Result result = run("test", "-Dtest=Foo", "-o");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out().strip())
        .isEqualTo(jdk + " -f " + repository.toRealPath() + "/pom.xml verify -Dtest=Foo -o");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"frobnicate", "start --memory lots", "start --memory 4", "start --home /proc/no"})
  void wrongArgumentsAreOneLineAndTwo(String arguments) throws Exception {
    Result result = run(arguments.split(" "));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.errors().lines()).hasSize(1);
    assertThat(result.errors()).startsWith("varve: ");
  }
}
