package dev.varve.service.shell;

import dev.varve.service.client.ServerError;
import dev.varve.service.shell.StatementSplitter.Split;
import dev.varve.service.shell.StatementSplitter.Statement;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Runs the statements of a text one after the other, up to the first error. */
final class ScriptRunner {
  private final StatementRunner runner;
  private final PrintWriter out;
  private final PrintWriter errors;

  ScriptRunner(StatementRunner runner, PrintWriter out, PrintWriter errors) {
    this.runner = runner;
    this.out = out;
    this.errors = errors;
  }

  /** Whether all went well. A command with a backslash takes the rest of its line. */
  boolean run(String text) {
    Split split = StatementSplitter.split(text);
    List<Statement> statements = new ArrayList<>(split.statements());
    if (!split.rest().text().isBlank()) {
      statements.add(split.rest());
    }
    for (Statement statement : statements) {
      if (!run(statement)) {
        return false;
      }
    }
    return true;
  }

  private boolean run(Statement statement) {
    Statement rest = statement;
    while (MetaCommands.isMeta(rest.text())) {
      String[] lines = rest.text().split("\n", 2);
      if (!runMeta(lines[0])) {
        return false;
      }
      if (lines.length < 2 || lines[1].isBlank()) {
        return true;
      }
      rest = new Statement(lines[1], rest.line() + 1, 1);
    }
    try {
      runner.run(rest.text());
      return true;
    } catch (ServerError e) {
      fail(ErrorText.of(e, rest.text(), rest.line(), rest.column()));
      return false;
    }
  }

  private boolean runMeta(String text) {
    try {
      if (new MetaCommands(runner, out).run(text) == MetaCommands.Outcome.UNKNOWN) {
        fail("ERROR: no such command: " + text.strip());
        return false;
      }
      return true;
    } catch (ServerError e) {
      fail(ErrorText.of(e, "", 1, 1));
      return false;
    }
  }

  private void fail(String text) {
    out.flush();
    errors.println(text);
    errors.flush();
  }
}
