package dev.varve.catalog.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.catalog.TestFiles;
import dev.varve.layout.io.LocalFileIO;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * What is served is what clients are told, and everything else is refused in the protocol's way.
 */
class RoutesTest {
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

  private static HttpResponse<String> send(String method, String path, String... headers)
      throws Exception {
    return sendBody(method, path, "{}", headers);
  }

  private static HttpResponse<String> sendBody(
      String method, String path, String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url(path)))
            .header("Content-Type", "application/json")
            .method(
                method,
                method.equals("POST") || method.equals("PUT")
                    ? HttpRequest.BodyPublishers.ofString(body)
                    : HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return new ObjectMapper().readTree(response.body());
  }

  private static void assertError(HttpResponse<String> response, int status, String type)
      throws IOException {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(json(response).at("/error/code").asInt()).isEqualTo(status);
    assertThat(json(response).at("/error/type").asText()).isEqualTo(type);
    assertThat(json(response).at("/error/message").asText()).isNotBlank();
  }

  static Stream<Endpoint> served() {
    return Endpoints.SERVED.stream();
  }

  /** Every route of our controllers as clients name it, but those that only refuse. */
  private static Set<String> mapped() {
    Set<String> routes = new TreeSet<>();
    Map<RequestMappingInfo, HandlerMethod> handlers =
        application
            .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
            .getHandlerMethods();
    handlers.forEach(
        (info, handler) -> {
          Class<?> type = handler.getBeanType();
          if (type.getPackage() == RoutesTest.class.getPackage()
              && type != UnservedController.class) {
            for (String path : info.getPatternValues()) {
              for (RequestMethod method : info.getMethodsCondition().getMethods()) {
                routes.add(
                    method
                        + " "
                        + path.replace("/iceberg/v1/", "/v1/{prefix}/")
                            .replace("{plan}", "{plan-id}"));
              }
            }
          }
        });
    return routes;
  }

  @Test
  void whatIsServedIsWhatClientsAreTold() throws Exception {
    Set<String> listed = new HashSet<>();
    json(send("GET", "/v1/config")).get("endpoints").forEach(one -> listed.add(one.asText()));
    Set<String> mapped = mapped();
    assertThat(mapped.remove("GET /v1/{prefix}/config")).isTrue();
    assertThat(listed).isEqualTo(mapped);
    assertThat(Endpoints.SERVED.stream().map(Endpoint::toString))
        .containsExactlyInAnyOrderElementsOf(mapped);
  }

  /** A route that reaches no handler is answered with 406. */
  @ParameterizedTest
  @MethodSource("served")
  void everyListedEndpointIsThere(Endpoint endpoint) throws Exception {
    String path = endpoint.path().replace("/{prefix}", "").replaceAll("\\{[a-z-]+}", "none");
    HttpResponse<String> answer = send(endpoint.httpMethod(), path);
    assertThat(answer.statusCode()).as(endpoint + " " + answer.body()).isIn(200, 400, 404);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/namespaces/a/tables/t/credentials",
    "POST, /v1/namespaces/a/tables/t/sign",
    "GET, /v1/namespaces/a/functions",
    "PUT, /v1/namespaces/a",
    "DELETE, /v1/namespaces/a/tables",
    "POST, /v1/aws/s3/sign",
    "GET, /v1/nothing"
  })
  void whatIsNotServedIsRefused(String method, String path) throws Exception {
    assertError(send(method, path), 406, "UnsupportedOperationException");
  }

  @Test
  void thereIsNoExchangeOfTokens() throws Exception {
    HttpResponse<String> answer = send("POST", "/v1/oauth/tokens");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer).get("error").asText()).isEqualTo("unsupported_grant_type");
  }

  @Test
  void anOfferToTakeCredentialsGetsNone() throws Exception {
    Namespace shop = Namespace.of("offers");
    catalog.createNamespace(shop);
    catalog.createTable(TableIdentifier.of(shop, "t"), TestFiles.SCHEMA);
    HttpResponse<String> table =
        send(
            "GET",
            "/v1/namespaces/offers/tables/t",
            "X-Iceberg-Access-Delegation",
            "vended-credentials,remote-signing");
    assertThat(table.statusCode()).isEqualTo(200);
    assertThat(json(table).has("storage-credentials")).isFalse();
    assertThat(json(table).path("config")).isEmpty();
    assertError(
        send("GET", "/v1/namespaces/offers/tables/t/credentials"),
        406,
        "UnsupportedOperationException");
  }

  @Test
  void listsComeInPagesThatNeitherHideNorRepeat() throws Exception {
    Namespace many = Namespace.of("many");
    catalog.createNamespace(many);
    for (String name : List.of("e", "a", "d", "b", "c")) {
      catalog.createNamespace(Namespace.of("many", name));
      catalog.createTable(TableIdentifier.of(many, name), TestFiles.SCHEMA);
    }
    String tables = "/v1/namespaces/many/tables?pageSize=2";
    JsonNode first = json(send("GET", tables + "&pageToken="));
    assertThat(names(first, "identifiers")).containsExactly("a", "b");
    catalog.dropTable(TableIdentifier.of(many, "a"), false);
    catalog.createTable(TableIdentifier.of(many, "aa"), TestFiles.SCHEMA);
    JsonNode second =
        json(send("GET", tables + "&pageToken=" + first.get("next-page-token").asText()));
    assertThat(names(second, "identifiers")).containsExactly("c", "d");
    JsonNode third =
        json(send("GET", tables + "&pageToken=" + second.get("next-page-token").asText()));
    assertThat(names(third, "identifiers")).containsExactly("e");
    assertThat(third.path("next-page-token").isTextual()).isFalse();
    JsonNode spaces = json(send("GET", "/v1/namespaces?parent=many&pageSize=4"));
    assertThat(spaces.get("namespaces")).hasSize(4);
    assertThat(
            json(send(
                    "GET",
                    "/v1/namespaces?parent=many&pageSize=4&pageToken="
                        + spaces.get("next-page-token").asText()))
                .get("namespaces"))
        .hasSize(1);
    assertThat(json(send("GET", "/v1/namespaces/many/views?pageSize=1")).get("identifiers"))
        .isEmpty();
    for (String bad : List.of("pageSize=0", "pageSize=-1", "pageSize=x", "pageToken=%25")) {
      assertError(send("GET", "/v1/namespaces/many/tables?" + bad), 400, "BadRequestException");
    }
    assertError(send("GET", "/v1/namespaces/no/tables"), 404, "NoSuchNamespaceException");
    assertError(send("GET", "/v1/namespaces?parent=no"), 404, "NoSuchNamespaceException");
    try (RESTCatalog paged = new RESTCatalog()) {
      paged.initialize(
          "paged",
          Map.of("uri", url(""), "io-impl", LocalFileIO.class.getName(), "rest-page-size", "2"));
      assertThat(paged.listTables(many)).hasSize(5);
      assertThat(paged.listNamespaces(many)).hasSize(5);
    }
  }

  private static List<String> names(JsonNode page, String member) {
    List<String> names = new ArrayList<>();
    page.get(member).forEach(one -> names.add(one.get("name").asText()));
    return names;
  }

  @Test
  void aTableIsRegisteredInThePlaceOfAnother() throws Exception {
    Namespace shop = Namespace.of("registry");
    catalog.createNamespace(shop);
    TableIdentifier name = TableIdentifier.of(shop, "t");
    TableIdentifier moved = TableIdentifier.of(shop, "moved");
    Table old = catalog.createTable(name, TestFiles.SCHEMA);
    old.newAppend().appendFile(TestFiles.file(old, 1, 2)).commit();
    Table other = catalog.createTable(moved, TestFiles.SCHEMA);
    other.newAppend().appendFile(TestFiles.file(other, 5, 9)).commit();
    String location = ((BaseTable) other).operations().refresh().metadataFileLocation();
    String body = "{\"name\":\"t\",\"metadata-location\":\"" + location + "\"%s}";
    String path = "/v1/namespaces/registry/register";
    assertError(sendBody("POST", path, body.formatted("")), 409, "AlreadyExistsException");
    assertError(
        sendBody("POST", path, body.formatted(",\"overwrite\":true")),
        409,
        "AlreadyExistsException");
    assertThat(catalog.loadTable(name).uuid())
        .as("a table cannot have two names")
        .isEqualTo(old.uuid());
    catalog.dropTable(moved, false);
    HttpResponse<String> answer = sendBody("POST", path, body.formatted(",\"overwrite\":true"));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(json(answer).get("metadata-location").asText()).isEqualTo(location);
    Table now = catalog.loadTable(name);
    assertThat(now.uuid()).isEqualTo(other.uuid());
    assertThat(now.currentSnapshot().snapshotId()).isEqualTo(other.currentSnapshot().snapshotId());
    now.newAppend().appendFile(TestFiles.file(now, 11, 12)).commit();
    assertError(
        sendBody(
            "POST",
            path,
            "{\"name\":\"t\",\"metadata-location\":\"/etc/passwd\",\"overwrite\":true}"),
        403,
        "ForbiddenException");
  }

  @Test
  void malformedRequestsAreAnsweredInTheProtocolsWay() throws Exception {
    assertError(sendBody("POST", "/v1/namespaces", ""), 400, "BadRequestException");
    assertError(sendBody("POST", "/v1/namespaces", "[]"), 400, "BadRequestException");
    assertError(
        send("DELETE", "/v1/namespaces/a/tables/t?purgeRequested=maybe"),
        400,
        "BadRequestException");
    assertError(
        sendBody("POST", "/v1/transactions/commit", "{\"table-changes\":1}"),
        400,
        "IllegalArgumentException");
  }
}
