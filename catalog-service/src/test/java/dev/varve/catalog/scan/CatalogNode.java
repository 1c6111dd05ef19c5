package dev.varve.catalog.scan;

import dev.varve.layout.io.LocalFileIO;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.rest.RESTCatalog;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** One process of a catalog, served over HTTP on a free port. */
final class CatalogNode implements AutoCloseable {
  private final ConfigurableApplicationContext application;
  private final HttpClient http = HttpClient.newHttpClient();

  @EnableAutoConfiguration
  static class Application {
    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }
  }

  CatalogNode(Path warehouse, int pageFiles, Map<String, String> database) {
    List<String> settings = new ArrayList<>();
    settings.add("--server.port=0");
    settings.add("--spring.main.banner-mode=off");
    settings.add("--varve.catalog.warehouse=" + warehouse);
    settings.add("--varve.catalog.scan-page-files=" + pageFiles);
    database.forEach((name, value) -> settings.add("--" + name + "=" + value));
    application =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.SERVLET)
            .run(settings.toArray(String[]::new));
  }

  /** A client that plans for itself or has the catalog plan. */
  RESTCatalog client(boolean planHere) {
    Map<String, String> properties = new HashMap<>();
    properties.put("uri", url(""));
    properties.put("io-impl", LocalFileIO.class.getName());
    properties.put("scan-planning-mode", planHere ? "server" : "client");
    RESTCatalog catalog = new RESTCatalog();
    catalog.initialize("lake", properties);
    return catalog;
  }

  <T> T bean(Class<T> type) {
    return application.getBean(type);
  }

  double count(String counter, String tag, String value) {
    Counter found = bean(MeterRegistry.class).find(counter).tag(tag, value).counter();
    return found == null ? 0 : found.count();
  }

  HttpResponse<String> send(String method, String path, String body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(url(path)))
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String url(String path) {
    String port = application.getEnvironment().getRequiredProperty("local.server.port");
    return "http://localhost:" + port + "/iceberg" + path;
  }

  @Override
  public void close() {
    http.close();
    application.close();
  }
}
