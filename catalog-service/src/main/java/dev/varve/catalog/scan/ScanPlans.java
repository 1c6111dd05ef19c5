package dev.varve.catalog.scan;

import dev.varve.catalog.index.ScanIndex;
import dev.varve.catalog.scan.ScanPlanner.Planned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.exceptions.NoSuchPlanIdException;
import org.apache.iceberg.exceptions.NoSuchPlanTaskException;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.rest.PlanStatus;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.rest.responses.FetchPlanningResultResponse;
import org.apache.iceberg.rest.responses.FetchPlanningResultResponseParser;
import org.apache.iceberg.rest.responses.FetchScanTasksResponse;
import org.apache.iceberg.rest.responses.FetchScanTasksResponseParser;
import org.apache.iceberg.rest.responses.PlanTableScanResponse;
import org.apache.iceberg.rest.responses.PlanTableScanResponseParser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans of scans as the REST protocol has them. A plan is made while its client waits; what does
 * not fit one answer is kept as pages, so that memory holds one page at a time and any node of the
 * catalog can go on. A plan of one answer has no id, and nothing of it is kept. Answers are JSON.
 * Safe for concurrent use.
 */
public final class ScanPlans {
  private static final Logger LOG = LoggerFactory.getLogger(ScanPlans.class);
  private static final char PAGE_SEPARATOR = '.';

  private final ScanPlanner planner;
  private final PlanStore store;
  private final int pageTasks;
  private final Consumer<ScanPlanner.Source> onPlanned;

  /**
   * @param pageTasks how many files are in one answer
   * @param onPlanned is told of each plan that is made
   */
  public ScanPlans(
      ScanPlanner planner, PlanStore store, int pageTasks, Consumer<ScanPlanner.Source> onPlanned) {
    this.planner = planner;
    this.store = store;
    this.pageTasks = pageTasks;
    this.onPlanned = onPlanned;
  }

  /** Plans a scan: its first page, and the names of the others. */
  public byte[] plan(BaseTable table, PlanTableScanRequest request) {
    try {
      return plan(table, request, true);
    } catch (ScanIndex.Incomplete e) {
      LOG.debug("{} is planned from its manifests", table.name(), e);
      return plan(table, request, false);
    }
  }

  private byte[] plan(BaseTable table, PlanTableScanRequest request, boolean indexed) {
    Planned planned = planner.plan(table, request, indexed);
    try (var tasks = planned.tasks()) {
      Pager pager = new Pager(tasks, request.minRowsRequested());
      List<FileScanTask> first = pager.next();
      PlanTableScanResponse.Builder answer =
          PlanTableScanResponse.builder(table.specs())
              .withPlanStatus(PlanStatus.COMPLETED)
              .withFileScanTasks(first);
      if (pager.hasNext()) {
        String planId = UUID.randomUUID().toString();
        answer.withPlanId(planId).withPlanTasks(keep(planId, table, first, pager));
      }
      byte[] json = utf8(PlanTableScanResponseParser.toJson(answer.build()));
      onPlanned.accept(planned.source());
      return json;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keeps all pages of a plan, the first one under its id; returns the names of the others. */
  private List<String> keep(String planId, BaseTable table, List<FileScanTask> first, Pager pager) {
    Map<Integer, PartitionSpec> specs = table.specs();
    store.begin(planId, table.uuid().toString());
    boolean done = false;
    try {
      List<String> planTasks = new ArrayList<>();
      while (pager.hasNext()) {
        FetchScanTasksResponse page =
            FetchScanTasksResponse.builder(specs).withFileScanTasks(pager.next()).build();
        int number = planTasks.size() + 1;
        store.put(planId, number, utf8(FetchScanTasksResponseParser.toJson(page)));
        planTasks.add(planId + PAGE_SEPARATOR + number);
      }
      FetchPlanningResultResponse result =
          FetchPlanningResultResponse.builder(specs)
              .withPlanStatus(PlanStatus.COMPLETED)
              .withFileScanTasks(first)
              .withPlanTasks(planTasks)
              .build();
      store.put(planId, 0, utf8(FetchPlanningResultResponseParser.toJson(result)));
      done = true;
      return planTasks;
    } finally {
      if (!done) {
        store.forget(planId, table.uuid().toString());
      }
    }
  }

  /** A plan that was made before, as {@link #plan} answered it. */
  public byte[] result(BaseTable table, String planId) {
    return store
        .page(planId, table.uuid().toString(), 0)
        .orElseThrow(
            () ->
                new NoSuchPlanIdException(
                    "Table %s has no scan plan %s; plans are kept for %s minutes",
                    table.name(), planId, PlanStore.LIFETIME.toMinutes()));
  }

  /** One of the other pages of a plan. */
  public byte[] tasks(BaseTable table, String planTask) {
    int separator = planTask.lastIndexOf(PAGE_SEPARATOR);
    int page = separator < 0 ? 0 : pageNumber(planTask.substring(separator + 1));
    if (page > 0) {
      var content = store.page(planTask.substring(0, separator), table.uuid().toString(), page);
      if (content.isPresent()) {
        return content.get();
      }
    }
    throw new NoSuchPlanTaskException(
        "Table %s has no plan task %s; plans are kept for %s minutes",
        table.name(), planTask, PlanStore.LIFETIME.toMinutes());
  }

  /** A positive number, or 0 when it is none. */
  private static int pageNumber(String text) {
    try {
      return Math.max(0, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      LOG.debug("not the number of a page", e);
      return 0;
    }
  }

  /** Forgets a plan. */
  public void cancel(BaseTable table, String planId) {
    if (!store.forget(planId, table.uuid().toString())) {
      throw new NoSuchPlanIdException("Table %s has no scan plan %s", table.name(), planId);
    }
  }

  private static byte[] utf8(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }

  /** Takes tasks a page at a time, until the rows that are asked for are sure to be among them. */
  private final class Pager {
    private final Iterator<FileScanTask> tasks;
    private long rowsWanted;

    Pager(Iterator<FileScanTask> tasks, @Nullable Long minRows) {
      this.tasks = tasks;
      this.rowsWanted = minRows == null || minRows == 0 ? Long.MAX_VALUE : minRows;
    }

    boolean hasNext() {
      return rowsWanted > 0 && tasks.hasNext();
    }

    List<FileScanTask> next() {
      List<FileScanTask> page = new ArrayList<>();
      while (page.size() < pageTasks && hasNext()) {
        FileScanTask task = tasks.next();
        page.add(task);
        if (task.deletes().isEmpty() && task.residual().op() == Expression.Operation.TRUE) {
          rowsWanted -= task.file().recordCount();
        }
      }
      return page;
    }
  }
}
