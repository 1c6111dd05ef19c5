package dev.varve.service.shell;

import dev.varve.service.client.ResultPage.ResultColumn;
import java.io.PrintWriter;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One JSON object a line, with the columns as members. */
final class JsonPrinter implements ResultPrinter {
  private final PrintWriter out;
  private final JsonMapper json = JsonMapper.builder().build();
  private List<ResultColumn> columns = List.of();

  JsonPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(List<ResultColumn> header) {
    columns = header;
  }

  @Override
  public void rows(List<JsonNode> rows) {
    for (JsonNode row : rows) {
      StringBuilder line = new StringBuilder("{");
      for (int i = 0; i < columns.size(); i++) {
        line.append(i == 0 ? "" : ",")
            .append(json.writeValueAsString(columns.get(i).name()))
            .append(':')
            .append(row.get(i));
      }
      out.println(line.append('}'));
    }
  }

  @Override
  public void end() {
    out.flush();
  }
}
