package dev.varve.catalog.rest;

import dev.varve.catalog.rest.OncePerKey.Request;
import dev.varve.catalog.table.JdbcTableCatalog;
import java.util.function.Supplier;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.CatalogHandlers;
import org.apache.iceberg.rest.requests.CreateViewRequest;
import org.apache.iceberg.rest.requests.RegisterViewRequest;
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.responses.ListTablesResponse;
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

/** Views. */
@RestController
@RequestMapping("/iceberg/v1")
public final class ViewController {
  private static final String VIEWS = "/namespaces/{namespace}/views";
  private static final String VIEW = VIEWS + "/{view}";

  private final JdbcTableCatalog catalog;
  private final OncePerKey once;
  private final RestReply reply = new RestReply(new RestJson());

  public ViewController(JdbcTableCatalog catalog, OncePerKey once) {
    this.catalog = catalog;
    this.once = once;
  }

  @GetMapping(VIEWS)
  public ResponseEntity<byte[]> list(
      @PathVariable String namespace,
      @RequestParam(required = false) @Nullable String pageToken,
      @RequestParam(required = false) @Nullable String pageSize) {
    return reply.body(
        () -> {
          Paging.Page<TableIdentifier> page =
              Paging.of(pageToken, pageSize)
                  .of(catalog.listViews(RestNames.namespace(namespace)), TableIdentifier::name);
          return ListTablesResponse.builder()
              .addAll(page.names())
              .nextPageToken(page.next())
              .build();
        });
  }

  @PostMapping(VIEWS)
  public ResponseEntity<byte[]> create(
      @PathVariable String namespace,
      @RequestBody byte[] body,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.run(
        key,
        new Request("create a view in " + namespace, body),
        target ->
            reply.body(
                () ->
                    CatalogHandlers.createView(
                        target,
                        RestNames.namespace(namespace),
                        reply.read(body, CreateViewRequest.class))),
        () ->
            asItStands(
                () ->
                    TableIdentifier.of(
                        RestNames.namespace(namespace),
                        reply.read(body, CreateViewRequest.class).name())));
  }

  /** The answer to a change that is done already: the view as the client would load it. */
  private ResponseEntity<byte[]> asItStands(Supplier<TableIdentifier> view) {
    return reply.body(() -> CatalogHandlers.loadView(catalog, view.get()));
  }

  @PostMapping("/namespaces/{namespace}/register-view")
  public ResponseEntity<byte[]> register(
      @PathVariable String namespace,
      @RequestBody byte[] body,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.run(
        key,
        new Request("register a view in " + namespace, body),
        target ->
            reply.body(
                () ->
                    CatalogHandlers.registerView(
                        target,
                        RestNames.namespace(namespace),
                        reply.read(body, RegisterViewRequest.class))),
        () ->
            asItStands(
                () ->
                    TableIdentifier.of(
                        RestNames.namespace(namespace),
                        reply.read(body, RegisterViewRequest.class).name())));
  }

  @GetMapping(VIEW)
  public ResponseEntity<byte[]> load(@PathVariable String namespace, @PathVariable String view) {
    return asItStands(() -> RestNames.table(namespace, view));
  }

  @RequestMapping(path = VIEW, method = RequestMethod.HEAD)
  public ResponseEntity<byte[]> exists(@PathVariable String namespace, @PathVariable String view) {
    return reply.noContent(
        () -> CatalogHandlers.viewExists(catalog, RestNames.table(namespace, view)));
  }

  @PostMapping(VIEW)
  public ResponseEntity<byte[]> update(
      @PathVariable String namespace,
      @PathVariable String view,
      @RequestBody byte[] body,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.run(
        key,
        new Request("update view " + view + " in " + namespace, body),
        target ->
            reply.body(
                () ->
                    CatalogHandlers.updateView(
                        target,
                        RestNames.table(namespace, view),
                        reply.read(body, UpdateTableRequest.class))),
        () -> asItStands(() -> RestNames.table(namespace, view)));
  }

  @DeleteMapping(VIEW)
  public ResponseEntity<byte[]> drop(
      @PathVariable String namespace,
      @PathVariable String view,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.noContent(
        key,
        new Request("drop view " + view + " in " + namespace),
        target -> CatalogHandlers.dropView(target, RestNames.table(namespace, view)));
  }

  @PostMapping("/views/rename")
  public ResponseEntity<byte[]> rename(
      @RequestBody byte[] body,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.noContent(
        key,
        new Request("rename a view", body),
        target -> CatalogHandlers.renameView(target, reply.read(body, RenameTableRequest.class)));
  }
}
