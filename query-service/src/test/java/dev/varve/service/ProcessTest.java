package dev.varve.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.service.client.VarveClient;
import dev.varve.service.home.Home;
import dev.varve.service.home.HomeLock;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How processes start, refuse to start, and end. */
@Timeout(300)
class ProcessTest {
  @TempDir Path directory;

  private void assertRefused(ChildService child, String... parts) throws Exception {
    assertThat(child.awaitExit()).isEqualTo(2);
    assertThat(child.errorOutput().lines()).as(child.errorOutput()).hasSize(1);
    assertThat(child.errorOutput()).startsWith("varve: ").contains(parts);
  }

  @Test
  void aPortInUseIsOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ChildService child =
            ChildService.launch(
                directory,
                new Home(directory.resolve("home")),
                "start",
                "--port",
                String.valueOf(taken.getLocalPort()))) {
      assertRefused(child, "port " + taken.getLocalPort(), "in use", "--port");
      assertThat(directory.resolve("home/run/token")).doesNotExist();
    }
  }

  @Test
  void aTakenPortOfFlightSqlIsOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ChildService child =
            ChildService.launch(
                directory,
                new Home(directory.resolve("home")),
                "start",
                "--port",
                "0",
                "--flight-port",
                String.valueOf(taken.getLocalPort()))) {
      assertRefused(child, "port " + taken.getLocalPort(), "in use", "--flight-port");
    }
  }

  @Test
  void anUnknownKeyIsOneLineWithItsPlace() throws Exception {
    Home home = new Home(directory.resolve("home")).create();
    Files.writeString(home.configuration(), "\nserver.prot = 1\n");
    try (ChildService child = ChildService.launch(directory, home, "start")) {
      assertRefused(child, "varve.properties", "line 2", "'server.prot'");
    }
  }

  @Test
  void aDatabaseThatIsNoneIsOneLine() throws Exception {
    Home home = new Home(directory.resolve("home")).create();
    Files.writeString(home.catalog().resolve("varve.mv.db"), "this is no database".repeat(1000));
    try (ChildService child = ChildService.launch(directory, home, "start", "--port", "0")) {
      assertRefused(child, "varve.log");
    }
  }

  @Test
  void wrongOptionsAreOneLine() throws Exception {
    Home home = new Home(directory.resolve("home"));
    for (String[] arguments :
        new String[][] {
          {"start", "--prot", "1"},
          {"start", "--port", "x"},
          {"start", "--once"},
          {"demo", "--scale", "0"},
          {"sql", "--url", "nonsense"},
          {"sql", "-f", "nofile.sql"},
          {"start", "--files-root", "/no/such"}
        }) {
      try (ChildService child = ChildService.launch(directory, home, arguments)) {
        assertRefused(child, arguments[1]);
      }
    }
  }

  @Test
  void aHomeHasOneProcessWhichEndsCleanlyOnSigterm() throws Exception {
    Home home = new Home(directory.resolve("a home"));
    try (ChildService first = ChildService.start(directory, home)) {
      assertThat(first.output()).contains("user 'admin' with password ").contains("/iceberg");
      assertThat(first.server().url().toString()).startsWith("http://127.0.0.1:");
      try (ChildService second = ChildService.launch(directory, home, "start", "--port", "0")) {
        assertRefused(second, "in use by another Varve process", "(pid " + first.pid() + ")");
      }
      try (ChildService shell =
          ChildService.launch(directory, home, "sql", "SELECT 40 + 2 AS answer")) {
        assertThat(shell.awaitExit()).as(shell.errorOutput()).isZero();
        assertThat(shell.output()).contains("answer").contains("42").contains("(1 row)");
      }
      try (ChildService shell =
          ChildService.launch(directory, home, "sql", "SELECT 1;\nSELECT nothing_like_it")) {
        assertThat(shell.awaitExit()).isEqualTo(1);
        assertThat(shell.errorOutput()).contains("ERROR: ").contains("LINE 2: ").contains("^");
      }
      try (VarveClient client = first.client()) {
        client.submit("SELECT count(*) FROM tpch.sf1.lineitem");
        long start = System.nanoTime();
        first.terminate();
        first.awaitExit();
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)).isLessThan(20);
      }
      assertThat(HomeLock.isHeld(home)).isFalse();
      assertThat(home.run().resolve("token")).doesNotExist();
      assertThat(home.run().resolve("url")).doesNotExist();
    }
    try (ChildService again = ChildService.start(directory, home)) {
      assertThat(again.output()).doesNotContain("password");
    }
  }

  @Test
  void theShellStartsAServiceForItselfWhereNoneRuns() throws Exception {
    Home home = new Home(directory.resolve("a %41 home"));
    try (ChildService shell =
        ChildService.launch(
            directory,
            home,
            "sql",
            "--csv",
            "CREATE SCHEMA lake.s; CREATE TABLE s.t AS SELECT 1 AS a, NULL::integer AS b;"
                + " SELECT a, b FROM s.t;")) {
      assertThat(shell.awaitExit()).as(shell.errorOutput()).isZero();
      assertThat(shell.output()).contains("a,b\n1,\n");
    }
    assertThat(HomeLock.isHeld(home)).isFalse();
    assertThat(home.warehouse().resolve("s")).isDirectory();
    assertThat(directory.toFile().list())
        .allMatch(name -> name.equals("a %41 home") || name.matches("(child-tmp|out.*|err.*)"));
  }
}
