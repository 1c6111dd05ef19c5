package dev.varve.service.shell;

import dev.varve.service.client.ServerError;
import dev.varve.service.client.VarveClient;
import dev.varve.service.home.Home;
import dev.varve.service.home.HomeLock;
import dev.varve.service.home.RunningServer;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.home.StartFailure;
import dev.varve.service.process.VarveProcess;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** {@code varve sql}: finds a service or starts one, and runs statements on it. */
public final class ShellCommand {
  private static final long WAIT_FOR_START_NANOS = 60_000_000_000L;

  /**
   * @param url another service than the home's; null for the home's
   * @param text statements to run; null to read them
   * @param file a file of statements; null for none
   */
  public record Options(
      Home home,
      ServiceConfiguration configuration,
      @Nullable URI url,
      @Nullable String user,
      @Nullable String text,
      @Nullable Path file,
      OutputFormat format) {}

  private final Options options;

  public ShellCommand(Options options) {
    this.options = options;
  }

  /** The exit code. */
  public int run() {
    Optional<String> script = script();
    URI url = options.url();
    if (url != null) {
      return run(remote(url), script);
    }
    options.home().create();
    Optional<RunningServer> running = find();
    if (running.isPresent()) {
      return run(client(running.get()), script);
    }
    try (VarveProcess process =
        VarveProcess.start(
            new VarveProcess.Options(
                options.home(),
                options
                    .configuration()
                    .withPort(0)
                    .withFlightPort(ServiceConfiguration.OFF)
                    .withPostgresPort(ServiceConfiguration.OFF),
                false,
                false,
                false))) {
      return run(client(process.server()), script);
    }
  }

  private static VarveClient client(RunningServer server) {
    return VarveClient.withToken(server.url(), server.token());
  }

  /** Waits for a process that holds the home but does not answer yet. */
  private Optional<RunningServer> find() {
    long deadline = System.nanoTime() + WAIT_FOR_START_NANOS;
    while (HomeLock.isHeld(options.home())) {
      Optional<RunningServer> running = RunningServer.find(options.home());
      if (running.isPresent() || System.nanoTime() > deadline) {
        return running;
      }
      LockSupport.parkNanos(100_000_000);
    }
    return Optional.empty();
  }

  private VarveClient remote(URI url) {
    String user = options.user();
    if (user == null) {
      String token = System.getenv("VARVE_TOKEN");
      return token == null ? VarveClient.withoutLogin(url) : VarveClient.withToken(url, token);
    }
    String password = System.getenv("VARVE_PASSWORD");
    if (password == null) {
      Console console = System.console();
      char[] typed =
          console != null && console.isTerminal()
              ? console.readPassword("Password of %s: ", user)
              : null;
      if (typed == null) {
        throw new StartFailure("set VARVE_PASSWORD: there is no terminal to ask for the password");
      }
      password = new String(typed);
    }
    return VarveClient.withPassword(url, user, password);
  }

  private Optional<String> script() {
    if (options.text() != null) {
      return Optional.of(options.text());
    }
    try {
      Path file = options.file();
      if (file != null) {
        return Optional.of(Files.readString(file));
      }
      Console console = System.console();
      return console != null && console.isTerminal()
          ? Optional.empty()
          : Optional.of(new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      throw new StartFailure("-f " + options.file() + ": there is no such file", e);
    } catch (IOException e) {
      throw new StartFailure("cannot read " + options.file() + ": " + e.getMessage(), e);
    }
  }

  private int run(VarveClient client, Optional<String> script) {
    try (client) {
      client.openSession();
      if (script.isEmpty()) {
        new InteractiveShell(client, options.format(), options.home().shellHistory()).run();
        return 0;
      }
      return runScript(client, script.get()) ? 0 : 1;
    } catch (ServerError e) {
      throw new StartFailure(e.getMessage() + (e.hint() == null ? "" : "; " + e.hint()), e);
    } catch (IOException e) {
      throw new StartFailure("the terminal fails: " + e.getMessage(), e);
    }
  }

  private boolean runScript(VarveClient client, String script) {
    PrintWriter out = writer(System.out);
    PrintWriter errors = writer(System.err);
    Console console = System.console();
    boolean terminal = console != null && console.isTerminal();
    StatementRunner runner =
        new StatementRunner(client, options.format(), out, terminal ? errors : null);
    // A signal ends this process; the statement it waits for must not go on without it.
    Thread cancel = new Thread(runner::cancel, "cancel-statement");
    Runtime.getRuntime().addShutdownHook(cancel);
    try {
      return new ScriptRunner(runner, out, errors).run(script);
    } finally {
      out.flush();
      try {
        Runtime.getRuntime().removeShutdownHook(cancel);
      } catch (IllegalStateException e) {
        // It is running.
      }
    }
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, false, StandardCharsets.UTF_8);
  }
}
