package dev.varve.service.demo;

import dev.varve.service.client.ResultPage;
import dev.varve.service.client.ResultPage.ResultColumn;
import dev.varve.service.client.VarveClient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * All that a statement answered, and how its execution went.
 *
 * @param status as {@code GET /api/v1/queries/{id}} tells it
 */
record Answer(
    List<ResultColumn> columns, List<JsonNode> rows, JsonNode status, double elapsedSeconds) {

  /** Runs a statement to its end; {@code progress} is told how it goes. */
  static Answer of(VarveClient client, String sql, Consumer<ResultPage> progress) {
    long start = System.nanoTime();
    String id = client.submit(sql);
    List<ResultColumn> columns = List.of();
    List<JsonNode> rows = new ArrayList<>();
    long token = 0;
    while (token >= 0) {
      ResultPage page = client.fetch(id, token, 10_000, 200);
      progress.accept(page);
      if (page.columns() != null) {
        columns = page.columns();
      }
      rows.addAll(page.rows());
      token = page.nextToken();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Answer(columns, rows, client.status(id), seconds);
  }

  /** The values of the first column, a line each: what EXPLAIN answers. */
  String text() {
    return rows.stream().map(row -> row.get(0).asString()).collect(Collectors.joining("\n"));
  }

  long figure(String name) {
    return status.path("progress").path(name).asLong(0);
  }

  /** The one number of a one-row, one-column answer. */
  long number() {
    return rows.getFirst().get(0).asLong();
  }
}
