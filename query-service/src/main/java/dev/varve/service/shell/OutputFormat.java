package dev.varve.service.shell;

import java.io.PrintWriter;

/** The forms in which the shell prints results. */
public enum OutputFormat {
  TABLE,
  CSV,
  JSON;

  public ResultPrinter printer(PrintWriter out) {
    return switch (this) {
      case TABLE -> new TablePrinter(out);
      case CSV -> new CsvPrinter(out);
      case JSON -> new JsonPrinter(out);
    };
  }
}
