package dev.varve.service.shell;

import dev.varve.service.client.ResultPage.ResultColumn;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Prints one result as its rows arrive. */
public interface ResultPrinter {
  void begin(List<ResultColumn> columns);

  void rows(List<JsonNode> rows);

  /** After the last row. */
  void end();
}
