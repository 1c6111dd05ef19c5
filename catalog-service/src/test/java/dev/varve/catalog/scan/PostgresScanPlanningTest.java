package dev.varve.catalog.scan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.catalog.TestFiles;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresScanPlanningTest extends ScanPlanningContract {
  @TempDir static Path directory;

  private static EmbeddedPostgres postgres;
  private static CatalogNode node;

  @BeforeAll
  static void start() throws IOException {
    postgres = EmbeddedPostgres.builder().start();
    node = start(PAGE_FILES);
  }

  private static CatalogNode start(int pageFiles) {
    return new CatalogNode(
        directory.resolve("warehouse"),
        pageFiles,
        Map.of(
            "spring.datasource.url",
            postgres.getJdbcUrl("postgres", "postgres"),
            "spring.datasource.username",
            "postgres"));
  }

  @AfterAll
  static void stop() throws IOException {
    node.close();
    postgres.close();
  }

  @Override
  CatalogNode node() {
    return node;
  }

  @Override
  long keptPages() throws Exception {
    return H2ScanPlanningTest.pages(node);
  }

  @Test
  void anotherNodeOfTheCatalogHandsOutThePages() throws Exception {
    try (CatalogNode other = start(PAGE_FILES);
        RESTCatalog client = node.client(false)) {
      TableIdentifier name = TableIdentifier.of("nodes", "t");
      client.createNamespace(Namespace.of("nodes"));
      Table table = client.createTable(name, TestFiles.SCHEMA);
      var append = table.newAppend();
      for (int i = 0; i < 9; i++) {
        append.appendFile(TestFiles.file(table, i, i));
      }
      append.commit();
      String path = "/v1/namespaces/nodes/tables/t/";
      JsonNode plan = json(node.send("POST", path + "plan", "{}"));
      int files = plan.get("file-scan-tasks").size();
      for (JsonNode planTask : plan.get("plan-tasks")) {
        JsonNode page =
            json(other.send("POST", path + "tasks", "{\"plan-task\":" + planTask + "}"));
        files += page.get("file-scan-tasks").size();
      }
      assertThat(files).isEqualTo(9);
      String planPath = path + "plan/" + plan.get("plan-id").asText();
      assertThat(other.send("DELETE", planPath, "").statusCode()).isEqualTo(204);
      assertThat(node.send("GET", planPath, "").statusCode()).isEqualTo(404);
    }
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new ObjectMapper().readTree(response.body());
  }
}
