package dev.varve.catalog.rest;

import dev.varve.catalog.rest.OncePerKey.Request;
import dev.varve.catalog.table.JdbcTableCatalog;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.rest.CatalogHandlers;
import org.apache.iceberg.rest.RESTCatalogProperties.SnapshotMode;
import org.apache.iceberg.rest.requests.CommitTransactionRequest;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.RegisterTableRequest;
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.requests.ReportMetricsRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.responses.ListTablesResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
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

/** Tables and commits. */
@RestController
@RequestMapping("/iceberg/v1")
public final class TableController {
  private static final Logger LOG = LoggerFactory.getLogger(TableController.class);
  private static final String TABLES = "/namespaces/{namespace}/tables";
  private static final String TABLE = TABLES + "/{table}";

  private final JdbcTableCatalog catalog;
  private final OncePerKey once;
  private final MeterRegistry meters;
  private final RestReply reply = new RestReply(new RestJson());

  /**
   * @param meters count the reports of clients
   */
  public TableController(JdbcTableCatalog catalog, OncePerKey once, MeterRegistry meters) {
    this.catalog = catalog;
    this.once = once;
    this.meters = meters;
  }

  @GetMapping(TABLES)
  public ResponseEntity<byte[]> list(
      @PathVariable String namespace,
      @RequestParam(required = false) @Nullable String pageToken,
      @RequestParam(required = false) @Nullable String pageSize) {
    return reply.body(
        () -> {
          Paging.Page<TableIdentifier> page =
              Paging.of(pageToken, pageSize)
                  .of(catalog.listTables(RestNames.namespace(namespace)), TableIdentifier::name);
          return ListTablesResponse.builder()
              .addAll(page.names())
              .nextPageToken(page.next())
              .build();
        });
  }

  @PostMapping(TABLES)
  public ResponseEntity<byte[]> create(
      @PathVariable String namespace,
      @RequestBody byte[] body,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.run(
        key,
        new Request("create a table in " + namespace, body),
        target ->
            reply.table(
                SnapshotMode.ALL,
                () -> {
                  Namespace in = RestNames.namespace(namespace);
                  CreateTableRequest request = reply.read(body, CreateTableRequest.class);
                  return request.stageCreate()
                      ? CatalogHandlers.stageTableCreate(target, in, request)
                      : CatalogHandlers.createTable(target, in, request);
                }),
        () ->
            asItStands(
                () ->
                    TableIdentifier.of(
                        RestNames.namespace(namespace),
                        reply.read(body, CreateTableRequest.class).name())));
  }

  /** The answer to a change that is done already: the table as the client would load it. */
  private ResponseEntity<byte[]> asItStands(Supplier<TableIdentifier> table) {
    return reply.table(
        SnapshotMode.ALL, () -> CatalogHandlers.loadTable(catalog, table.get(), SnapshotMode.ALL));
  }

  @PostMapping("/namespaces/{namespace}/register")
  public ResponseEntity<byte[]> register(
      @PathVariable String namespace,
      @RequestBody byte[] body,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.run(
        key,
        new Request("register a table in " + namespace, body),
        target ->
            reply.table(
                SnapshotMode.ALL,
                () ->
                    CatalogHandlers.registerTable(
                        target,
                        RestNames.namespace(namespace),
                        reply.read(body, RegisterTableRequest.class))),
        () ->
            asItStands(
                () ->
                    TableIdentifier.of(
                        RestNames.namespace(namespace),
                        reply.read(body, RegisterTableRequest.class).name())));
  }

  /** Answers 304 without reading the metadata when the client holds it already. */
  @GetMapping(TABLE)
  public ResponseEntity<byte[]> load(
      @PathVariable String namespace,
      @PathVariable String table,
      @RequestParam(required = false) @Nullable String snapshots,
      @RequestHeader(name = HttpHeaders.IF_NONE_MATCH, required = false)
          @Nullable String ifNoneMatch) {
    return reply.answer(
        () -> {
          SnapshotMode mode = snapshotMode(snapshots);
          TableIdentifier identifier = RestNames.table(namespace, table);
          String location = metadataLocation(identifier);
          if (ifNoneMatch != null && location != null) {
            String tag = TableTag.of(location, mode);
            if (TableTag.matches(ifNoneMatch, tag)) {
              return reply.notModified(tag);
            }
          }
          return reply.table(mode, () -> CatalogHandlers.loadTable(catalog, identifier, mode));
        });
  }

  /**
   * Where the table's metadata lies; null if there is no table. Metadata that the catalog or the
   * client still remembers may be lost: that is to be seen, not hidden. The table is there, its
   * metadata is not: clients tell that by the exception's name.
   */
  private @Nullable String metadataLocation(TableIdentifier table) {
    String location = catalog.metadataLocation(table).orElse(null);
    if (location != null && !catalog.metadataExists(location)) {
      throw new NotFoundException("Failed to open input stream for file: %s", location);
    }
    return location;
  }

  @RequestMapping(path = TABLE, method = RequestMethod.HEAD)
  public ResponseEntity<byte[]> exists(@PathVariable String namespace, @PathVariable String table) {
    return reply.noContent(
        () -> CatalogHandlers.tableExists(catalog, RestNames.table(namespace, table)));
  }

  /** Also completes a staged creation: its request asserts that the table is not there. */
  @PostMapping(TABLE)
  public ResponseEntity<byte[]> update(
      @PathVariable String namespace,
      @PathVariable String table,
      @RequestBody byte[] body,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.run(
        key,
        new Request("update table " + table + " in " + namespace, body),
        target ->
            reply.table(
                SnapshotMode.ALL,
                () ->
                    CatalogHandlers.updateTable(
                        target,
                        RestNames.table(namespace, table),
                        reply.read(body, UpdateTableRequest.class))),
        () -> asItStands(() -> RestNames.table(namespace, table)));
  }

  @DeleteMapping(TABLE)
  public ResponseEntity<byte[]> drop(
      @PathVariable String namespace,
      @PathVariable String table,
      @RequestParam(defaultValue = "false") boolean purgeRequested,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.noContent(
        key,
        new Request("drop table " + table + " in " + namespace + " " + purgeRequested),
        target -> {
          TableIdentifier identifier = RestNames.table(namespace, table);
          if (purgeRequested) {
            CatalogHandlers.purgeTable(target, identifier);
          } else {
            CatalogHandlers.dropTable(target, identifier);
          }
        });
  }

  @PostMapping("/tables/rename")
  public ResponseEntity<byte[]> rename(
      @RequestBody byte[] body,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.noContent(
        key,
        new Request("rename a table", body),
        target -> CatalogHandlers.renameTable(target, reply.read(body, RenameTableRequest.class)));
  }

  @PostMapping("/transactions/commit")
  public ResponseEntity<byte[]> commit(
      @RequestBody byte[] body,
      @RequestHeader(name = OncePerKey.HEADER, required = false) @Nullable String key) {
    return once.noContent(
        key,
        new Request("commit to several tables", body),
        target ->
            target.commitTransaction(
                reply.read(body, CommitTransactionRequest.class).tableChanges()));
  }

  /** Clients report how their scans and commits went: they are counted, the log can show them. */
  @PostMapping(TABLE + "/metrics")
  public ResponseEntity<byte[]> metrics(
      @PathVariable String namespace, @PathVariable String table, @RequestBody byte[] body) {
    return reply.noContent(
        () -> {
          ReportMetricsRequest request = reply.read(body, ReportMetricsRequest.class);
          CatalogHandlers.tableExists(catalog, RestNames.table(namespace, table));
          String type = request.reportType().name().toLowerCase(Locale.ROOT).replace('_', '-');
          meters.counter("varve.iceberg.reports", "type", type).increment();
          LOG.debug("{}.{}: {}", namespace, table, request.report());
        });
  }

  private static SnapshotMode snapshotMode(@Nullable String snapshots) {
    if (snapshots == null) {
      return SnapshotMode.ALL;
    }
    return switch (snapshots.toLowerCase(Locale.ROOT)) {
      case "all" -> SnapshotMode.ALL;
      case "refs" -> SnapshotMode.REFS;
      default -> throw new BadRequestException("Invalid snapshots '%s': all or refs", snapshots);
    };
  }
}
