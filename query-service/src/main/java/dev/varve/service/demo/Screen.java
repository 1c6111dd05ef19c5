package dev.varve.service.demo;

import dev.varve.service.shell.OutputFormat;
import dev.varve.service.shell.ResultPrinter;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What the demo prints: to be read by a person, from top to bottom. */
final class Screen {
  private static final int MAX_ROWS = 10;

  private final PrintWriter out;
  private final boolean terminal;

  Screen() {
    out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    Console console = System.console();
    terminal = console != null && console.isTerminal();
  }

  void line(String text) {
    out.println(text);
    out.flush();
  }

  void heading(String title, String explanation) {
    line("");
    line(terminal ? "\033[1m" + title + "\033[0m" : title);
    line(explanation);
  }

  void statement(String sql) {
    line("");
    sql.lines().forEach(l -> line("  " + (terminal ? "\033[36m" + l + "\033[0m" : l)));
    line("");
  }

  /** The first rows as a table. */
  void rows(Answer answer) {
    ResultPrinter printer = OutputFormat.TABLE.printer(out);
    List<JsonNode> shown = answer.rows().subList(0, Math.min(MAX_ROWS, answer.rows().size()));
    printer.begin(answer.columns());
    printer.rows(shown);
    printer.end();
    if (shown.size() < answer.rows().size()) {
      line("(the first of " + answer.rows().size() + ")");
    }
  }

  void text(String text) {
    text.lines().forEach(l -> line("  " + l));
  }

  /** Overwrites the line on a terminal; says nothing elsewhere. */
  void progress(String text) {
    if (terminal) {
      out.print("\r\033[K" + text);
      out.flush();
    }
  }

  void clearProgress() {
    progress("");
  }
}
