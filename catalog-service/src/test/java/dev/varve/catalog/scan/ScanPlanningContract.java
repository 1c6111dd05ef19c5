package dev.varve.catalog.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionParser;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.RESTCatalog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scans that the catalog plans, beside the same scans planned by Iceberg's client for itself. */
abstract class ScanPlanningContract {
  /** Few enough that most plans have several pages. */
  static final int PAGE_FILES = 4;

  private static final int HISTORIES = Integer.getInteger("varve.scanPlanning.histories", 3);
  private static final int STEPS = 12;
  private static int tests;

  private final Namespace shop = Namespace.of("scan" + tests++);
  private final TableIdentifier name = TableIdentifier.of(shop, "t");
  private final RowFiles files = new RowFiles();

  private RESTCatalog ours;
  private RESTCatalog own;

  abstract CatalogNode node();

  @BeforeEach
  void connect() {
    ours = node().client(true);
    own = node().client(false);
    own.createNamespace(shop);
  }

  @AfterEach
  void disconnect() throws IOException {
    ours.close();
    own.close();
  }

  @Test
  void randomTablesArePlannedAsIcebergPlansThem() {
    for (int seed = 0; seed < HISTORIES; seed++) {
      int version = 2 + seed % 2;
      Random random = new Random(seed);
      TableIdentifier table = TableIdentifier.of(shop, "t" + seed);
      Table written =
          own.buildTable(table, RandomChanges.SCHEMA)
              .withSortOrder(SortOrder.builderFor(RandomChanges.SCHEMA).asc("k").build())
              .withProperty(TableProperties.FORMAT_VERSION, Integer.toString(version))
              .create();
      RandomChanges changes = new RandomChanges(written, version, files, random);
      for (int step = 0; step < STEPS; step++) {
        changes.change();
        written.refresh();
        compare(table, random, "seed " + seed + " step " + step);
      }
    }
    assertThat(plans("index")).isPositive();
    assertThat(plans("manifests")).isPositive();
  }

  private double plans(String source) {
    return node().count("varve.iceberg.scan.plans", "source", source);
  }

  /** The same scans by both: no file with a row is left out, and every task says the same. */
  private void compare(TableIdentifier identifier, Random random, String when) {
    Table planned = ours.loadTable(identifier);
    Table local = own.loadTable(identifier);
    for (int i = 0; i < 4; i++) {
      Expression filter = RandomChanges.filter(local.schema(), random);
      check(planned.newScan(), local.newScan(), local.schema(), filter, when);
    }
    if (local.refs().containsKey("side")) {
      check(
          planned.newScan().useRef("side"),
          local.newScan().useRef("side"),
          local.schema(),
          RandomChanges.filter(local.schema(), random),
          when + " on the branch");
    }
    if (local.currentSnapshot() != null) {
      List<Long> ids = new ArrayList<>();
      local.snapshots().forEach(snapshot -> ids.add(snapshot.snapshotId()));
      long id = RowFiles.one(random, ids);
      TableScan then = local.newScan().useSnapshot(id);
      check(
          planned.newScan().useSnapshot(id),
          then,
          then.schema(),
          RandomChanges.filter(then.schema(), random),
          when + " at " + id);
    }
  }

  private void check(
      TableScan planned, TableScan local, Schema schema, Expression filter, String when) {
    Map<String, FileScanTask> theirs = tasks(local.filter(filter));
    Map<String, FileScanTask> all = tasks(local);
    Map<String, FileScanTask> got = tasks(planned.filter(filter));
    String what = when + ": " + filter;
    assertThat(all.keySet()).as(what).containsAll(got.keySet());
    for (String path : all.keySet()) {
      if (files.hasRow(path, schema, filter)) {
        assertThat(got).as(what).containsKey(path);
      }
    }
    got.forEach(
        (path, task) -> {
          FileScanTask same = Objects.requireNonNull(theirs.getOrDefault(path, all.get(path)));
          assertThat(file(task)).as(what).isEqualTo(file(same));
          assertThat(deletes(task)).as(what).isEqualTo(deletes(same));
          if (theirs.containsKey(path)) {
            assertThat(ExpressionParser.toJson(task.residual()))
                .as(what)
                .isEqualTo(ExpressionParser.toJson(same.residual()));
          }
        });
  }

  private static String file(FileScanTask task) {
    return ContentFileParser.toJson(task.file().copyWithoutStats(), task.spec());
  }

  private static Set<String> deletes(FileScanTask task) {
    Set<String> deletes = new HashSet<>();
    for (DeleteFile delete : task.deletes()) {
      deletes.add(delete.content() + " " + delete.location() + " " + delete.contentOffset());
    }
    return deletes;
  }

  private static Map<String, FileScanTask> tasks(TableScan scan) {
    Map<String, FileScanTask> tasks = new TreeMap<>();
    try (CloseableIterable<FileScanTask> planned = scan.planFiles()) {
      for (FileScanTask task : planned) {
        assertThat(tasks.put(task.file().location(), task)).as("twice").isNull();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return tasks;
  }

  private Table tenFiles() {
    Table table =
        own.buildTable(name, RandomChanges.SCHEMA)
            .withSortOrder(SortOrder.builderFor(RandomChanges.SCHEMA).asc("k").build())
            .create();
    var append = table.newAppend();
    for (int i = 0; i < 10; i++) {
      GenericRecord row = GenericRecord.create(RandomChanges.SCHEMA);
      row.setField("k", i);
      append.appendFile(files.add(table, List.of(row)));
    }
    append.commit();
    return table;
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return node().send("POST", "/v1/namespaces/" + shop + "/tables/" + path, body);
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return new ObjectMapper().readTree(response.body());
  }

  private static void assertError(HttpResponse<String> response, int status, String type)
      throws IOException {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(json(response).at("/error/code").asInt()).isEqualTo(status);
    assertThat(json(response).at("/error/type").asText()).isEqualTo(type);
  }

  @Test
  void aPlanOfOnePageHasNoIdAndComesFromTheIndex() throws Exception {
    tenFiles();
    double before = plans("index");
    HttpResponse<String> plan =
        post("t/plan", "{\"filter\":{\"type\":\"lt\",\"term\":\"k\",\"value\":2}}");
    assertThat(plan.statusCode()).as(plan.body()).isEqualTo(200);
    JsonNode json = json(plan);
    assertThat(json.get("status").asText()).isEqualTo("completed");
    assertThat(json.has("plan-id")).isFalse();
    assertThat(json.has("plan-tasks")).isFalse();
    // Ends of ranges are closed: the file of 2 is read for nothing.
    assertThat(json.get("file-scan-tasks")).hasSize(3);
    assertThat(json.at("/file-scan-tasks/0/residual-filter/type").asText()).isEqualTo("lt");
    assertThat(plans("index")).isEqualTo(before + 1);
  }

  @Test
  void aLargePlanComesInPagesUntilItIsCancelled() throws Exception {
    tenFiles();
    HttpResponse<String> plan = post("t/plan", "{}");
    JsonNode json = json(plan);
    String planId = json.get("plan-id").asText();
    assertThat(json.get("file-scan-tasks")).hasSize(PAGE_FILES);
    assertThat(json.get("plan-tasks")).hasSize(2);
    Set<String> paths = new HashSet<>();
    json.get("file-scan-tasks")
        .forEach(task -> paths.add(task.at("/data-file/file-path").asText()));
    String lastTask = "";
    for (JsonNode planTask : json.get("plan-tasks")) {
      lastTask = planTask.asText();
      HttpResponse<String> page = post("t/tasks", "{\"plan-task\":\"" + lastTask + "\"}");
      assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
      json(page)
          .get("file-scan-tasks")
          .forEach(task -> paths.add(task.at("/data-file/file-path").asText()));
    }
    assertThat(paths).hasSize(10);
    String path = "/v1/namespaces/" + shop + "/tables/t/plan/" + planId;
    JsonNode again = json(node().send("GET", path, ""));
    assertThat(again.get("status").asText()).isEqualTo("completed");
    assertThat(again.get("file-scan-tasks")).isEqualTo(json.get("file-scan-tasks"));
    assertThat(again.get("plan-tasks")).isEqualTo(json.get("plan-tasks"));

    own.createTable(TableIdentifier.of(shop, "other"), RandomChanges.SCHEMA);
    assertError(
        node().send("GET", path.replace("/t/", "/other/"), ""), 404, "NoSuchPlanIdException");
    assertError(
        post("other/tasks", "{\"plan-task\":\"" + lastTask + "\"}"),
        404,
        "NoSuchPlanTaskException");

    assertThat(node().send("DELETE", path, "").statusCode()).isEqualTo(204);
    assertError(node().send("DELETE", path, ""), 404, "NoSuchPlanIdException");
    assertError(node().send("GET", path, ""), 404, "NoSuchPlanIdException");
    assertError(
        post("t/tasks", "{\"plan-task\":\"" + lastTask + "\"}"), 404, "NoSuchPlanTaskException");
  }

  @Test
  void aClientThatHasReadItsPlanLeavesNothingBehind() throws Exception {
    tenFiles();
    long before = keptPages();
    assertThat(tasks(ours.loadTable(name).newScan())).hasSize(10);
    assertThat(keptPages()).isEqualTo(before);
  }

  abstract long keptPages() throws Exception;

  @Test
  void wrongInputIsAnsweredAsTheProtocolSays() throws Exception {
    Table table = tenFiles();
    long snapshot = table.currentSnapshot().snapshotId();
    String unbound = "{\"filter\":{\"type\":\"eq\",\"term\":\"nope\",\"value\":1}}";
    assertError(post("t/plan", unbound), 400, "ValidationException");
    assertError(
        post("t/plan", "{\"filter\":{\"type\":\"eq\",\"term\":\"k\",\"value\":\"a\"}}"),
        400,
        "ValidationException");
    for (String bad :
        List.of(
            "",
            "{",
            "[]",
            "null",
            "{\"filter\":null}",
            "{\"filter\":{}}",
            "{\"filter\":{\"type\":\"like\",\"term\":\"k\",\"value\":1}}",
            "{\"filter\":{\"type\":\"eq\",\"term\":\"k\"}}",
            "{\"filter\":\"k = 1\"}",
            "{\"snapshot-id\":\"x\"}",
            "{\"min-rows-requested\":-1}",
            "{\"start-snapshot-id\":" + snapshot + "}",
            "{\"snapshot-id\":1,\"start-snapshot-id\":1,\"end-snapshot-id\":1}")) {
      HttpResponse<String> answer = post("t/plan", bad);
      assertThat(answer.statusCode()).as(bad + " -> " + answer.body()).isEqualTo(400);
      assertThat(json(answer).at("/error/code").asInt()).as(bad).isEqualTo(400);
    }
    assertError(post("t/plan", "{\"snapshot-id\":1}"), 400, "BadRequestException");
    assertError(
        post("t/plan", "{\"start-snapshot-id\":1,\"end-snapshot-id\":" + snapshot + "}"),
        400,
        "BadRequestException");
    assertError(post("none/plan", "{}"), 404, "NoSuchTableException");
    assertError(post("none/tasks", "{\"plan-task\":\"a\"}"), 404, "NoSuchTableException");
    String elsewhere = "/v1/namespaces/none/tables/t/plan";
    assertError(node().send("POST", elsewhere, "{}"), 404, "NoSuchTableException");
    String plan = "/v1/namespaces/" + shop + "/tables/t/plan/";
    assertError(node().send("GET", plan + "x", ""), 404, "NoSuchPlanIdException");
    assertError(node().send("DELETE", plan + UUID.randomUUID(), ""), 404, "NoSuchPlanIdException");
    for (String planTask : List.of("", ".", "a.b", UUID.randomUUID() + ".0", "a.99999999999")) {
      assertError(
          post("t/tasks", "{\"plan-task\":\"" + planTask + "\"}"), 404, "NoSuchPlanTaskException");
    }
    assertError(post("t/tasks", "{}"), 400, "IllegalArgumentException");
  }

  @Test
  void namesOfColumnsMayDifferInCaseWhenTheClientSaysSo() throws Exception {
    tenFiles();
    String filter = "\"filter\":{\"type\":\"eq\",\"term\":\"K\",\"value\":3}";
    assertError(post("t/plan", "{" + filter + "}"), 400, "ValidationException");
    HttpResponse<String> answer = post("t/plan", "{\"case-sensitive\":false," + filter + "}");
    assertThat(json(answer).get("file-scan-tasks")).hasSize(1);
  }

  @Test
  void statisticsAreSentWhenTheyAreAskedFor() throws Exception {
    tenFiles();
    assertThat(json(post("t/plan", "{}")).at("/file-scan-tasks/0/data-file").has("lower-bounds"))
        .isFalse();
    JsonNode file =
        json(post("t/plan", "{\"stats-fields\":[\"k\"]}")).at("/file-scan-tasks/0/data-file");
    assertThat(file.at("/lower-bounds/keys")).hasSize(1);
  }

  @Test
  void enoughRowsEndThePlanEarly() throws Exception {
    tenFiles();
    assertThat(json(post("t/plan", "{\"min-rows-requested\":3}")).get("file-scan-tasks"))
        .hasSize(3);
    String filtered =
        "{\"min-rows-requested\":1,\"filter\":"
            + "{\"type\":\"gt-eq\",\"term\":\"k\",\"value\":7}}";
    assertThat(json(post("t/plan", filtered)).get("file-scan-tasks"))
        .as("a file of which rows may be filtered out counts for nothing")
        .hasSize(3);
  }

  @Test
  void whatWasAppendedAfterASnapshotIsPlanned() throws Exception {
    Table table = tenFiles();
    long start = table.currentSnapshot().snapshotId();
    GenericRecord row = GenericRecord.create(RandomChanges.SCHEMA);
    row.setField("k", 77);
    table.newAppend().appendFile(files.add(table, List.of(row))).commit();
    long end = table.currentSnapshot().snapshotId();
    String between = "\"start-snapshot-id\":%d,\"end-snapshot-id\":%d";
    HttpResponse<String> answer = post("t/plan", "{" + between.formatted(start, end) + "}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode plan = json(answer);
    assertThat(plan.get("file-scan-tasks")).as("the start is exclusive").hasSize(1);
    assertThat(json(post("t/plan", "{" + between.formatted(end, end) + "}")).get("file-scan-tasks"))
        .isEmpty();
    assertError(
        post("t/plan", "{" + between.formatted(end, start) + "}"), 400, "BadRequestException");
  }

  @Test
  void anEmptyTableHasAnEmptyPlan() throws Exception {
    own.createTable(name, RandomChanges.SCHEMA);
    JsonNode plan = json(post("t/plan", "{}"));
    assertThat(plan.get("status").asText()).isEqualTo("completed");
    assertThat(plan.get("file-scan-tasks")).isEmpty();
    assertError(
        post("t/plan", "{\"filter\":{\"type\":\"is-null\",\"term\":\"nope\"}}"),
        400,
        "ValidationException");
    assertThat(tasks(ours.loadTable(name).newScan())).isEmpty();
  }

  @Test
  void aClientIsToldWhatIsWrongWithItsFilter() {
    tenFiles();
    TableScan scan = ours.loadTable(name).newScan().filter(Expressions.equal("nope", 1));
    assertThatThrownBy(() -> tasks(scan))
        .isInstanceOfAny(RESTException.class, IllegalArgumentException.class)
        .hasMessageContaining("nope");
  }

  @Test
  void reportsOfClientsAreCounted() throws Exception {
    tenFiles();
    assertThat(tasks(own.loadTable(name).newScan())).hasSize(10);
    Awaitility.await()
        .untilAsserted(
            () -> {
              assertThat(reports("scan-report")).isPositive();
              assertThat(reports("commit-report")).isPositive();
            });
    for (String bad : List.of("{\"report-type\":\"scan-report\"}", "{}", "")) {
      assertThat(post("t/metrics", bad).statusCode()).as(bad).isEqualTo(400);
    }
  }

  private double reports(String type) {
    return node().count("varve.iceberg.reports", "type", type);
  }
}
