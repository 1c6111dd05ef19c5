package dev.varve.service;

import dev.varve.service.demo.DemoCommand;
import dev.varve.service.home.StartFailure;
import dev.varve.service.process.VarveProcess;
import dev.varve.service.shell.ShellCommand;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;

/**
 * Runs a command of the launcher. Exit codes: 0 done, 1 a statement or a step failed, 2 could not
 * start.
 */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    try {
      CommandLine line = CommandLine.parse(arguments);
      return switch (line.command) {
        case "start" -> start(line);
        case "demo" -> demo(line);
        default -> sql(line);
      };
    } catch (StartFailure e) {
      System.err.println("varve: " + e.getMessage());
      return 2;
    }
  }

  private static int start(CommandLine line) {
    VarveProcess process =
        VarveProcess.start(
            new VarveProcess.Options(line.home, line.configuration(), false, true, true));
    PrintStream out = System.out;
    out.println("Varve runs at " + process.server().url());
    out.println("  REST          " + process.server().url() + "/api/v1/queries");
    out.println("  Iceberg REST  " + process.server().url() + "/iceberg");
    process.jdbcUrl().ifPresent(url -> out.println("  Flight SQL    " + url));
    process.postgresUrl().ifPresent(url -> out.println("  PostgreSQL    " + url));
    out.println("  Home          " + line.home.root());
    process
        .administratorPassword()
        .ifPresent(
            password -> {
              out.println();
              out.println("First start. Log in as user 'admin' with password " + password);
              out.println("It is stored as a hash only and not shown again.");
            });
    out.println();
    out.println("Ctrl-C stops it. On this machine: varve sql --home '" + line.home.root() + "'");
    out.flush();
    waitForEnd();
    return 0;
  }

  private static int demo(CommandLine line) {
    return new DemoCommand(line.home, line.configuration(), line.scale, line.once)
        .run(Main::waitForEnd);
  }

  private static int sql(CommandLine line) {
    return new ShellCommand(
            new ShellCommand.Options(
                line.home,
                line.configuration(),
                line.url,
                line.user,
                line.text,
                line.file,
                line.format))
        .run();
  }

  /** Until a signal ends the process, whose shutdown hooks then stop the service. */
  static void waitForEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
