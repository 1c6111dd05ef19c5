package dev.varve.service.shell;

import dev.varve.service.client.ServerError;
import dev.varve.service.client.VarveClient;
import dev.varve.service.shell.StatementSplitter.Split;
import dev.varve.service.shell.StatementSplitter.Statement;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** The shell on a terminal. */
final class InteractiveShell {
  private final VarveClient client;
  private final OutputFormat format;
  private final Path history;

  InteractiveShell(VarveClient client, OutputFormat format, Path history) {
    this.client = client;
    this.format = format;
    this.history = history;
  }

  void run() throws IOException {
    try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
      run(terminal);
    }
  }

  void run(Terminal terminal) {
    PrintWriter out = terminal.writer();
    StatementRunner runner =
        new StatementRunner(
            client, format, out, terminal.getType().startsWith("dumb") ? null : out);
    MetaCommands meta = new MetaCommands(runner, out);
    terminal.handle(Terminal.Signal.INT, signal -> runner.cancel());
    LineReader reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("varve")
            .parser(new StatementParser())
            .variable(LineReader.HISTORY_FILE, history)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "   -> ")
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
    out.println("Varve at " + client.base() + ". \\? for help, \\q to leave.");
    out.flush();
    loop(reader, runner, meta, out);
  }

  private static void loop(
      LineReader reader, StatementRunner runner, MetaCommands meta, PrintWriter out) {
    while (true) {
      String text;
      try {
        text = reader.readLine("varve> ");
      } catch (UserInterruptException e) {
        continue;
      } catch (EndOfFileException e) {
        return;
      }
      if (MetaCommands.isMeta(text)) {
        if (runMeta(text, meta, out) == MetaCommands.Outcome.QUIT) {
          return;
        }
      } else {
        runAll(StatementSplitter.split(text).statements(), runner, out);
      }
    }
  }

  private static MetaCommands.Outcome runMeta(String text, MetaCommands meta, PrintWriter out) {
    MetaCommands.Outcome outcome;
    try {
      outcome = meta.run(text);
    } catch (ServerError e) {
      out.println(ErrorText.of(e, "", 1, 1));
      outcome = MetaCommands.Outcome.DONE;
    }
    if (outcome == MetaCommands.Outcome.UNKNOWN) {
      out.println("No such command: " + text.strip() + ". \\? lists them.");
    }
    out.flush();
    return outcome;
  }

  private static void runAll(List<Statement> statements, StatementRunner runner, PrintWriter out) {
    for (Statement statement : statements) {
      try {
        runner.run(statement.text());
      } catch (ServerError e) {
        out.println(ErrorText.of(e, statement.text(), statement.line(), 1));
        out.flush();
        return;
      }
    }
  }

  /** A line is complete when its last statement has its semicolon. */
  private static final class StatementParser implements Parser {
    private final DefaultParser words = new DefaultParser().quoteChars(new char[0]);

    StatementParser() {
      words.setEscapeChars(new char[0]);
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
      if (context == ParseContext.ACCEPT_LINE && !MetaCommands.isMeta(line)) {
        Split split = StatementSplitter.split(line);
        if (split.open() || !split.rest().text().isBlank()) {
          throw new EOFError(-1, cursor, "the statement has no ';' yet");
        }
      }
      return words.parse(line, cursor, ParseContext.COMPLETE);
    }
  }
}
