package dev.varve.catalog.rest;

import dev.varve.catalog.rest.OncePerKey.Request;
import dev.varve.catalog.table.JdbcTableCatalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.rest.CatalogHandlers;
import org.apache.iceberg.rest.requests.CreateNamespaceRequest;
import org.apache.iceberg.rest.requests.UpdateNamespacePropertiesRequest;
import org.apache.iceberg.rest.responses.ConfigResponse;
import org.apache.iceberg.rest.responses.CreateNamespaceResponse;
import org.apache.iceberg.rest.responses.ListNamespacesResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Configuration and namespaces. */
@RestController
@RequestMapping("/iceberg/v1")
public final class NamespaceController {
  private static final ConfigResponse CONFIG =
      ConfigResponse.builder()
          .withEndpoints(Endpoints.SERVED)
          .withIdempotencyKeyLifetime(OncePerKey.LIFETIME.toString())
          .build();

  private final JdbcTableCatalog catalog;
  private final OncePerKey once;
  private final RestReply reply = new RestReply(new RestJson());

  public NamespaceController(JdbcTableCatalog catalog, OncePerKey once) {
    this.catalog = catalog;
    this.once = once;
  }

  @GetMapping("/config")
  public ResponseEntity<byte[]> config() {
    return reply.body(() -> CONFIG);
  }

  @GetMapping("/namespaces")
  public ResponseEntity<byte[]> list(
      @RequestParam(required = false) @Nullable String parent,
      @RequestParam(required = false) @Nullable String pageToken,
      @RequestParam(required = false) @Nullable String pageSize) {
    return reply.body(
        () -> {
          Namespace under = parent == null ? Namespace.empty() : RestNames.namespace(parent);
          Paging.Page<Namespace> page =
              Paging.of(pageToken, pageSize)
                  .of(
                      catalog.listNamespaces(under),
                      namespace -> namespace.level(namespace.length() - 1));
          return ListNamespacesResponse.builder()
              .addAll(page.names())
              .nextPageToken(page.next())
              .build();
        });
  }

  @PostMapping("/namespaces")
  public ResponseEntity<byte[]> create(
      @RequestBody byte[] body,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.run(
        key,
        new Request("create a namespace", body),
        target ->
            reply.body(
                () ->
                    CatalogHandlers.createNamespace(
                        target, reply.read(body, CreateNamespaceRequest.class))),
        () ->
            reply.body(
                () -> {
                  Namespace created = reply.read(body, CreateNamespaceRequest.class).namespace();
                  return CreateNamespaceResponse.builder()
                      .withNamespace(created)
                      .setProperties(catalog.loadNamespaceMetadata(created))
                      .build();
                }));
  }

  @GetMapping("/namespaces/{namespace}")
  public ResponseEntity<byte[]> load(@PathVariable String namespace) {
    return reply.body(() -> CatalogHandlers.loadNamespace(catalog, RestNames.namespace(namespace)));
  }

  @RequestMapping(path = "/namespaces/{namespace}", method = RequestMethod.HEAD)
  public ResponseEntity<byte[]> exists(@PathVariable String namespace) {
    return reply.noContent(
        () -> CatalogHandlers.namespaceExists(catalog, RestNames.namespace(namespace)));
  }

  @DeleteMapping("/namespaces/{namespace}")
  public ResponseEntity<byte[]> drop(
      @PathVariable String namespace,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.noContent(
        key,
        new Request("drop namespace " + namespace),
        target -> CatalogHandlers.dropNamespace(target, RestNames.namespace(namespace)));
  }

  /** Needs no key: made again, the change has no further effect. */
  @PostMapping("/namespaces/{namespace}/properties")
  public ResponseEntity<byte[]> update(@PathVariable String namespace, @RequestBody byte[] body) {
    return reply.body(
        () ->
            CatalogHandlers.updateNamespaceProperties(
                catalog,
                RestNames.namespace(namespace),
                reply.read(body, UpdateNamespacePropertiesRequest.class)));
  }
}
