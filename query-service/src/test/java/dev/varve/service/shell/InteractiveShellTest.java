package dev.varve.service.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.service.client.VarveClient;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.process.ScriptedService;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A person at the shell: what is typed, and what is seen. */
@Timeout(60)
class InteractiveShellTest {
  @TempDir static Path directory;
  private static ScriptedService service;

  private final PipedOutputStream keys = new PipedOutputStream();
  private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
  private Terminal terminal;
  private Thread shell;

  @BeforeAll
  static void start() {
    service = new ScriptedService(directory.resolve("home"), ServiceConfiguration.DEFAULTS, false);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @BeforeEach
  void open() throws IOException {
    terminal =
        new DumbTerminal("test", "dumb", new PipedInputStream(keys), seen, StandardCharsets.UTF_8);
    shell =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (VarveClient client = VarveClient.withToken(service.url(), service.token())) {
                    client.openSession();
                    new InteractiveShell(
                            client, OutputFormat.TABLE, directory.resolve("shell_history"))
                        .run(terminal);
                  }
                });
  }

  private void type(String text) throws IOException {
    keys.write(text.getBytes(StandardCharsets.UTF_8));
    keys.flush();
  }

  private void awaitSeen(String text) throws InterruptedException {
    while (!seen.toString(StandardCharsets.UTF_8).contains(text)) {
      assertThat(shell.isAlive()).as(seen.toString(StandardCharsets.UTF_8)).isTrue();
      Thread.sleep(10);
    }
  }

  @Test
  void statementsOfSeveralLinesRunAtTheSemicolon() throws Exception {
    type("ROWS\n  3\n;\n");
    awaitSeen("(3 rows)");
    type("\\timing\n");
    awaitSeen("Timing is on.");
    type("ROWS 1; ROWS 2;\n");
    awaitSeen("(2 rows)");
    awaitSeen("Time: ");
    type("\\q\n");
    shell.join();
    assertThat(Files.readString(directory.resolve("shell_history"))).contains("ROWS 1; ROWS 2;");
  }

  @Test
  void aChangeIsOneLineThoughItsEndComesAfterItsCount() throws Exception {
    type("INSERT 7;\nROWS 2;\n");
    awaitSeen("(2 rows)");
    assertThat(seen.toString(StandardCharsets.UTF_8))
        .containsPattern("INSERT 7\\r?\\n")
        .doesNotContain("(1 row)");
    type("\\q\n");
    shell.join();
  }

  @Test
  void anErrorIsShownAtItsPlaceAndTheShellGoesOn() throws Exception {
    type("FAIL\n  on x;\n");
    awaitSeen("ERROR: column 'x' not found");
    awaitSeen("LINE 2:   on x");
    awaitSeen("HINT: did you mean 'y'?");
    type("\\nonsense\n");
    awaitSeen("No such command: \\nonsense");
    type("\\?\n");
    awaitSeen("Ctrl-C cancels");
    type("ROWS 1;\n\\q\n");
    awaitSeen("(1 row)");
    shell.join();
  }

  @Test
  void controlCCancelsTheRunningStatement() throws Exception {
    type("WAIT;\n");
    Thread.sleep(500);
    terminal.raise(Terminal.Signal.INT);
    awaitSeen("ERROR: the query was cancelled");
    type("\\q\n");
    shell.join();
  }
}
