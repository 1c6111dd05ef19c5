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

  /** Whether all went well. Commands with a backslash may stand before the first statement. */
  boolean run(String text) {
    String rest = text;
    while (MetaCommands.isMeta(rest)) {
      String[] lines = rest.stripLeading().split("\n", 2);
      if (!runMeta(lines[0])) {
        return false;
      }
      rest = lines.length < 2 ? "" : lines[1];
    }
    return runStatements(rest);
  }

  private boolean runStatements(String text) {
    Split split = StatementSplitter.split(text);
    List<Statement> statements = new ArrayList<>(split.statements());
    if (!split.rest().text().isBlank()) {
      statements.add(split.rest());
    }
    for (Statement statement : statements) {
      try {
        runner.run(statement.text());
      } catch (ServerError e) {
        fail(ErrorText.of(e, statement.text(), statement.line(), statement.column()));
        return false;
      }
    }
    return true;
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
