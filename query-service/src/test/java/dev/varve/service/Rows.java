package dev.varve.service;

import dev.varve.service.client.ResultPage;
import dev.varve.service.client.VarveClient;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Runs statements to their end over REST. */
final class Rows {
  private Rows() {}

  static List<JsonNode> of(VarveClient client, String sql) {
    String id = client.submit(sql);
    List<JsonNode> rows = new ArrayList<>();
    long token = 0;
    while (token >= 0) {
      ResultPage page = client.fetch(id, token, 10_000, 1000);
      rows.addAll(page.rows());
      token = page.nextToken();
    }
    return rows;
  }
}
