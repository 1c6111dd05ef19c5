package dev.varve.service.shell;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** The commands that begin with a backslash. */
final class MetaCommands {
  static final String HELP =
      """
      Statements end with ';' and may take several lines.
        \\d            tables of the current schema
        \\d TABLE      columns and ordering of a table
        \\dt [SCHEMA]  tables
        \\dn [CATALOG] schemas
        \\l            catalogs
        \\timing       show how long statements take, or stop showing it
        \\?            this help
        \\q            leave
      Ctrl-C cancels the running statement, or clears the line. Ctrl-D leaves.""";

  enum Outcome {
    DONE,
    QUIT,
    UNKNOWN
  }

  private final StatementRunner runner;
  private final PrintWriter out;

  MetaCommands(StatementRunner runner, PrintWriter out) {
    this.runner = runner;
    this.out = out;
  }

  static boolean isMeta(String line) {
    return line.stripLeading().startsWith("\\");
  }

  Outcome run(String line) {
    String[] words = line.strip().split("\\s+", 2);
    String argument = words.length < 2 ? null : words[1].replaceAll("[\\s;]+$", "");
    switch (words[0].replaceAll(";+$", "")) {
      case "\\q", "\\quit" -> {
        return Outcome.QUIT;
      }
      case "\\?", "\\h", "\\help" -> out.println(HELP);
      case "\\timing" -> out.println("Timing is " + (runner.toggleTiming() ? "on." : "off."));
      case "\\l" -> runner.run("SHOW CATALOGS");
      case "\\dn" -> runner.run("SHOW SCHEMAS" + from(argument));
      case "\\dt" -> runner.run("SHOW TABLES" + from(argument));
      case "\\d" -> runner.run(argument == null ? "SHOW TABLES" : "DESCRIBE " + argument);
      default -> {
        return Outcome.UNKNOWN;
      }
    }
    out.flush();
    return Outcome.DONE;
  }

  private static String from(@Nullable String name) {
    return name == null ? "" : " FROM " + name;
  }
}
