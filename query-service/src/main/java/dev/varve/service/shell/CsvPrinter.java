package dev.varve.service.shell;

import dev.varve.service.client.ResultPage.ResultColumn;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** RFC 4180: a null is an empty field, an empty text is {@code ""}. */
final class CsvPrinter implements ResultPrinter {
  private final PrintWriter out;
  private List<ResultColumn> columns = List.of();

  CsvPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(List<ResultColumn> header) {
    columns = header;
    out.println(header.stream().map(c -> quote(c.name())).collect(Collectors.joining(",")));
  }

  @Override
  public void rows(List<JsonNode> rows) {
    for (JsonNode row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns.size(); i++) {
        JsonNode value = row.get(i);
        line.append(i == 0 ? "" : ",")
            .append(value.isNull() ? "" : quote(Cells.text(columns.get(i), value)));
      }
      out.println(line);
    }
  }

  @Override
  public void end() {
    out.flush();
  }

  private static String quote(String text) {
    boolean plain =
        !text.isEmpty()
            && text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
