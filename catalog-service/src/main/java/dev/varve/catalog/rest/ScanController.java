package dev.varve.catalog.rest;

import dev.varve.catalog.scan.ScanPlans;
import dev.varve.catalog.table.JdbcTableCatalog;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.rest.requests.FetchScanTasksRequest;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Plans of scans. */
@RestController
@RequestMapping("/iceberg/v1/namespaces/{namespace}/tables/{table}")
public final class ScanController {
  private final JdbcTableCatalog catalog;
  private final ScanPlans plans;
  private final RestReply reply = new RestReply(new RestJson());

  public ScanController(JdbcTableCatalog catalog, ScanPlans plans) {
    this.catalog = catalog;
    this.plans = plans;
  }

  @PostMapping("/plan")
  public ResponseEntity<byte[]> plan(
      @PathVariable String namespace, @PathVariable String table, @RequestBody byte[] body) {
    return reply.json(
        () -> {
          BaseTable scanned = load(namespace, table);
          return plans.plan(scanned, reply.read(body, PlanTableScanRequest.class));
        });
  }

  @GetMapping("/plan/{plan}")
  public ResponseEntity<byte[]> result(
      @PathVariable String namespace, @PathVariable String table, @PathVariable String plan) {
    return reply.json(() -> plans.result(load(namespace, table), plan));
  }

  @DeleteMapping("/plan/{plan}")
  public ResponseEntity<byte[]> cancel(
      @PathVariable String namespace, @PathVariable String table, @PathVariable String plan) {
    return reply.noContent(() -> plans.cancel(load(namespace, table), plan));
  }

  @PostMapping("/tasks")
  public ResponseEntity<byte[]> tasks(
      @PathVariable String namespace, @PathVariable String table, @RequestBody byte[] body) {
    return reply.json(
        () -> {
          BaseTable scanned = load(namespace, table);
          return plans.tasks(scanned, reply.read(body, FetchScanTasksRequest.class).planTask());
        });
  }

  private BaseTable load(String namespace, String table) {
    TableIdentifier identifier = RestNames.table(namespace, table);
    if (catalog.loadTable(identifier) instanceof BaseTable found) {
      return found;
    }
    // Metadata tables are made by clients.
    throw new NoSuchTableException("Table does not exist: %s", identifier);
  }
}
