package dev.varve.catalog.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.catalog.TestFiles;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.io.LocalFileIO;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Iceberg's own client against the running controllers. */
class RestCatalogTest {
  private static int tests;

  /** Each test has a namespace of its own in the one application. */
  private final Namespace shop = Namespace.of("shop" + tests++);

  private final TableIdentifier t = TableIdentifier.of(shop, "t");

  @TempDir static Path directory;

  private static ConfigurableApplicationContext application;
  private static RESTCatalog catalog;

  @EnableAutoConfiguration
  static class Application {}

  @BeforeAll
  static void start() {
    application =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.SERVLET)
            .run(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--varve.catalog.database-file=" + directory.resolve("catalog"),
                "--varve.catalog.warehouse=" + directory.resolve("warehouse"));
    catalog = new RESTCatalog();
    catalog.initialize("lake", Map.of("uri", url(""), "io-impl", LocalFileIO.class.getName()));
  }

  @AfterAll
  static void stop() throws IOException {
    catalog.close();
    application.close();
  }

  private static String url(String path) {
    String port = application.getEnvironment().getRequiredProperty("local.server.port");
    return "http://localhost:" + port + "/iceberg" + path;
  }

  @Test
  void namespacesGoRoundTrip() {
    Namespace inner = Namespace.of(shop.level(0), "eu & co");
    catalog.createNamespace(shop, new HashMap<>(Map.of("owner", "ada")));
    catalog.createNamespace(inner);
    assertThat(catalog.listNamespaces()).contains(shop);
    assertThat(catalog.listNamespaces(shop)).containsExactly(inner);
    assertThat(catalog.namespaceExists(inner)).isTrue();
    assertThat(catalog.namespaceExists(Namespace.of("x"))).isFalse();
    catalog.setProperties(shop, new HashMap<>(Map.of("tier", "1")));
    catalog.removeProperties(shop, new HashSet<>(Set.of("owner")));
    assertThat(catalog.loadNamespaceMetadata(shop)).isEqualTo(Map.of("tier", "1"));
    assertThatThrownBy(() -> catalog.createNamespace(shop))
        .isInstanceOf(AlreadyExistsException.class);
    assertThatThrownBy(() -> catalog.dropNamespace(shop))
        .isInstanceOf(NamespaceNotEmptyException.class);
    assertThat(catalog.dropNamespace(inner)).isTrue();
    assertThatThrownBy(() -> catalog.loadNamespaceMetadata(inner))
        .isInstanceOf(NoSuchNamespaceException.class);
  }

  @Test
  void tablesGoRoundTripAndAreIndexed() {
    catalog.createNamespace(shop);
    Table table = catalog.buildTable(t, TestFiles.SCHEMA).withSortOrder(TestFiles.BY_K).create();
    table.newAppend().appendFile(TestFiles.file(table, 1, 10)).commit();
    table.newAppend().appendFile(TestFiles.file(table, 11, 20)).commit();
    Table again = catalog.loadTable(t);
    assertThat(again.currentSnapshot().snapshotId())
        .isEqualTo(table.currentSnapshot().snapshotId());
    assertThat(again.sortOrder().sameOrder(TestFiles.BY_K)).isTrue();
    LayoutAnswer answer =
        application
            .getBean(LayoutIndex.class)
            .plan(
                new LayoutQuery(
                    table.uuid().toString(),
                    table.currentSnapshot().snapshotId(),
                    List.of(),
                    Optional.empty()));
    assertThat(answer)
        .isInstanceOfSatisfying(
            LayoutAnswer.Complete.class,
            complete -> assertThat(complete.totalRows()).isEqualTo(20));
    assertThat(catalog.listTables(shop)).containsExactly(t);
    assertThat(catalog.tableExists(t)).isTrue();
    TableIdentifier renamed = TableIdentifier.of(shop, "u");
    catalog.renameTable(t, renamed);
    assertThat(catalog.tableExists(t)).isFalse();
    String metadata =
        ((BaseTable) catalog.loadTable(renamed)).operations().current().metadataFileLocation();
    assertThat(catalog.dropTable(renamed, false)).isTrue();
    assertThatThrownBy(() -> catalog.loadTable(renamed)).isInstanceOf(NoSuchTableException.class);
    Table registered = catalog.registerTable(t, metadata);
    assertThat(registered.uuid()).isEqualTo(table.uuid());
    assertThat(catalog.dropTable(t, true)).isTrue();
    assertThat(Path.of(metadata)).doesNotExist();
  }

  @Test
  void aStagedCreationBecomesATableWithItsFirstData() {
    catalog.createNamespace(shop);
    Transaction creation = catalog.buildTable(t, TestFiles.SCHEMA).createTransaction();
    creation.newAppend().appendFile(TestFiles.file(creation.table(), 1, 2)).commit();
    assertThat(catalog.tableExists(t)).isFalse();
    creation.commitTransaction();
    assertThat(catalog.loadTable(t).currentSnapshot()).isNotNull();
    assertThatThrownBy(() -> catalog.buildTable(t, TestFiles.SCHEMA).create())
        .isInstanceOf(AlreadyExistsException.class);
  }

  @Test
  void severalTablesCommitTogetherOrNotAtAll() {
    catalog.createNamespace(shop);
    TableIdentifier other = TableIdentifier.of(shop, "other");
    Table first = catalog.createTable(t, TestFiles.SCHEMA);
    Table second = catalog.createTable(other, TestFiles.SCHEMA);
    Transaction a = catalog.loadTable(t).newTransaction();
    a.newFastAppend().appendFile(TestFiles.file(first, 1, 2)).commit();
    Transaction b = catalog.loadTable(other).newTransaction();
    b.newFastAppend().appendFile(TestFiles.file(second, 1, 2)).commit();
    // Somebody else changes the second table first.
    second.newFastAppend().appendFile(TestFiles.file(second, 3, 4)).commit();
    List<TableCommit> commits = List.of(commit(t, a), commit(other, b));
    assertThatThrownBy(() -> catalog.commitTransaction(commits))
        .isInstanceOf(CommitFailedException.class);
    assertThat(catalog.loadTable(t).currentSnapshot()).isNull();
    Transaction c = catalog.loadTable(other).newTransaction();
    c.newFastAppend().appendFile(TestFiles.file(second, 5, 6)).commit();
    catalog.commitTransaction(List.of(commit(t, a), commit(other, c)));
    assertThat(catalog.loadTable(t).currentSnapshot()).isNotNull();
    assertThat(catalog.loadTable(other).snapshots()).hasSize(2);
  }

  private static TableCommit commit(TableIdentifier table, Transaction transaction) {
    return TableCommit.create(
        table,
        ((BaseTransaction) transaction).startMetadata(),
        ((BaseTransaction) transaction).currentMetadata());
  }

  @Test
  void aTableOutsideTheWarehouseIsForbidden() {
    catalog.createNamespace(shop);
    assertThatThrownBy(
            () -> catalog.buildTable(t, TestFiles.SCHEMA).withLocation("/elsewhere").create())
        .isInstanceOf(ForbiddenException.class);
  }

  @Test
  void badRequestsAreAnsweredInTheProtocolsWay() throws Exception {
    assertThat(post("/v1/namespaces", "{").statusCode()).isEqualTo(400);
    HttpResponse<String> missing = post("/v1/namespaces", "{}");
    assertThat(missing.statusCode()).isEqualTo(400);
    assertThat(missing.body())
        .contains("\"error\"")
        .contains("\"code\":400")
        .doesNotContain("\tat ");
    HttpResponse<String> unknown = get("/v1/namespaces/none/tables/t");
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.body()).contains("NoSuchTableException");
    HttpResponse<String> config = get("/v1/config?warehouse=x");
    assertThat(config.statusCode()).isEqualTo(200);
    assertThat(config.body()).contains("POST /v1/{prefix}/transactions/commit");
    assertThat(get("/v1/namespaces/none").statusCode()).isEqualTo(404);
    assertThat(get("/v1/namespaces/none/tables/t?snapshots=some").statusCode()).isEqualTo(400);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(url(path))).GET());
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create(url(path)))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void aTableThatTheClientHoldsIsNotSentAgain() throws Exception {
    catalog.createNamespace(shop);
    catalog.createTable(t, TestFiles.SCHEMA);
    String path = "/v1/namespaces/" + shop + "/tables/t";
    HttpResponse<String> first = get(path, "");
    String tag = first.headers().firstValue("ETag").orElseThrow();
    assertThat(get(path, tag).statusCode()).isEqualTo(304);
    assertThat(get(path, tag).body()).isEmpty();
    assertThat(get(path + "?snapshots=refs", tag).statusCode()).isEqualTo(200);
    catalog.loadTable(t).updateProperties().set("a", "b").commit();
    HttpResponse<String> changed = get(path, tag);
    assertThat(changed.statusCode()).isEqualTo(200);
    assertThat(changed.headers().firstValue("ETag")).isPresent().isNotEqualTo(Optional.of(tag));
  }

  private static HttpResponse<String> get(String path, String ifNoneMatch) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url(path)));
    if (!ifNoneMatch.isEmpty()) {
      request.header("If-None-Match", ifNoneMatch);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void aRequestWithTheSameKeyIsMadeOnce() throws Exception {
    String key = UUID.randomUUID().toString();
    String namespace = "{\"namespace\":[\"" + shop + "\"]}";
    assertThat(send("POST", "/v1/namespaces", namespace, key).statusCode()).isEqualTo(200);
    assertThat(send("POST", "/v1/namespaces", namespace, key).statusCode()).isEqualTo(200);
    assertThat(send("POST", "/v1/namespaces", namespace, UUID.randomUUID().toString()).statusCode())
        .isEqualTo(409);
    catalog.createTable(t, TestFiles.SCHEMA);
    String path = "/v1/namespaces/" + shop + "/tables/t";
    String uuid = catalog.loadTable(t).uuid().toString();
    String update =
        """
        {"requirements":[{"type":"assert-table-uuid","uuid":"%s"}],
         "updates":[{"action":"set-properties","updates":{"a":"1"}}]}
        """
            .formatted(uuid);
    String other = UUID.randomUUID().toString();
    HttpResponse<String> first = send("POST", path, update, other);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    catalog.loadTable(t).updateProperties().set("a", "2").commit();
    HttpResponse<String> again = send("POST", path, update, other);
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(catalog.loadTable(t).properties()).containsEntry("a", "2");
    assertThat(send("POST", path, update.replace("1", "3"), other).statusCode()).isEqualTo(422);
    assertThat(send("POST", path, update, "no uuid").statusCode()).isEqualTo(400);
    String drop = UUID.randomUUID().toString();
    assertThat(send("DELETE", path, "", drop).statusCode()).isEqualTo(204);
    assertThat(send("DELETE", path, "", drop).statusCode()).isEqualTo(204);
    String missing = UUID.randomUUID().toString();
    assertThat(send("DELETE", path, "", missing).statusCode()).isEqualTo(404);
    assertThat(send("DELETE", path, "", missing).statusCode())
        .as("nothing was done under this key")
        .isEqualTo(404);
  }

  @Test
  void noStorageCredentialsAreHandedOut() throws Exception {
    HttpResponse<String> answer = get("/v1/namespaces/" + shop + "/tables/t/credentials", "");
    assertThat(answer.statusCode()).isEqualTo(406);
    assertThat(answer.body()).contains("no storage credentials");
  }

  private static HttpResponse<String> send(String method, String path, String body, String key)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url(path)))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }
}
