package dev.varve.service.demo;

import dev.varve.service.client.ServerError;
import dev.varve.service.client.VarveClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What orderings are good for, step by step. Each step says what it shows, runs it, and checks that
 * it was shown.
 */
final class Showcase {
  private static final String LINEITEM = DemoTable.SCHEMA + ".lineitem";
  private static final String ARRIVALS = DemoTable.SCHEMA + ".arrivals";
  private static final String ARRIVALS_IN_ORDER =
      "SELECT shipped, order_key, price\nFROM " + ARRIVALS + "\nORDER BY shipped";

  private final VarveClient client;
  private final Screen screen;
  private final List<String> failures = new ArrayList<>();
  private String step = "";

  Showcase(VarveClient client, Screen screen) {
    this.client = client;
    this.screen = screen;
  }

  /** What was not shown; empty if all was. */
  List<String> run() {
    step(this::sortedWithoutSort);
    step(this::rangeReadsAPart);
    step(this::pointLookup);
    step(this::overlapAndCompaction);
    step(this::aggregate);
    return failures;
  }

  private void step(Runnable body) {
    try {
      body.run();
    } catch (ServerError e) {
      failures.add(step + ": " + e.getMessage());
      screen.line("FAILED: " + e.getMessage());
    }
  }

  private void sortedWithoutSort() {
    begin(
        "1. ORDER BY without a sort",
        "Every file of lineitem was verified to be in l_shipdate order while it was written, and the"
            + " files' key ranges do not overlap: the plan has no SortExec and the first rows come"
            + " at once.");
    String sql =
        "SELECT l_shipdate, l_orderkey, l_extendedprice\nFROM "
            + LINEITEM
            + "\nORDER BY l_shipdate\nLIMIT 5";
    screen.statement(sql);
    screen.rows(run(sql));
    String plan = explain(sql.replace("\nLIMIT 5", ""));
    check(!plan.contains("SortExec"), "the plan still has a SortExec");
    check(plan.contains("removed"), "the plan does not tell why it needs no sort");
  }

  private void rangeReadsAPart() {
    begin(
        "2. A range filter reads a small part",
        "One month of seven years: files, row groups and pages outside of it are skipped by their"
            + " statistics, before anything of them is read.");
    String sql =
        "SELECT l_shipmode, count(*) AS items, sum(l_extendedprice) AS price\nFROM "
            + LINEITEM
            + "\nWHERE l_shipdate BETWEEN DATE '1995-03-01' AND DATE '1995-03-31'"
            + "\nGROUP BY l_shipmode\nORDER BY l_shipmode";
    screen.statement(sql);
    Answer answer = run(sql);
    screen.rows(answer);
    analyze(sql);
    long all = tableBytes();
    funnel(answer, all);
    check(answer.figure("filesPruned") > 0, "no file was pruned");
    check(
        answer.figure("rowGroupsPruned") + answer.figure("filesPruned") > 0, "nothing was pruned");
    check(answer.figure("bytesRead") < all / 2, "more than half of the bytes were read");
  }

  private void pointLookup() {
    begin(
        "3. A point lookup on a column that is not in order",
        "lineitem is in l_shipdate order, so every file has every range of order keys; bloom filters"
            + " tell which row groups can hold the one asked for.");
    long key =
        run("SELECT max(l_orderkey) FROM " + LINEITEM + " WHERE l_orderkey < 40000").number();
    String sql =
        "SELECT l_orderkey, l_linenumber, l_shipdate, l_quantity\nFROM "
            + LINEITEM
            + "\nWHERE l_orderkey = "
            + key
            + "\nORDER BY l_linenumber";
    screen.statement(sql);
    Answer answer = run(sql);
    screen.rows(answer);
    String plan = analyze(sql);
    funnel(answer, tableBytes());
    check(answer.rows().size() >= 1, "the rows were not found");
    check(figure(plan, "row_groups_pruned_bloom") > 0, "no row group was pruned by a bloom filter");
  }

  private void overlapAndCompaction() {
    begin(
        "4. Files that overlap, and a compaction without a sort",
        "Four small inserts leave four files, each in order, whose key ranges overlap: they cannot be"
            + " read one after the other.");
    run("DROP TABLE IF EXISTS " + ARRIVALS);
    run(
        "CREATE TABLE "
            + ARRIVALS
            + " (shipped date, order_key bigint, price decimal(15,2))"
            + " ORDERED BY (shipped)");
    for (int part = 0; part < 4; part++) {
      String insert =
          "INSERT INTO "
              + ARRIVALS
              + " SELECT l_shipdate, l_orderkey, l_extendedprice FROM "
              + LINEITEM
              + " WHERE l_linenumber = "
              + (part + 1)
              + " AND l_shipdate < DATE '1994-01-01'";
      if (part == 0) {
        screen.statement(insert + "   -- and three more");
      }
      run(insert);
    }
    String before = explain(ARRIVALS_IN_ORDER);
    Answer unsorted = run(ARRIVALS_IN_ORDER);
    check(
        before.toLowerCase(Locale.ROOT).contains("overlap"), "the plan does not tell the overlap");

    String call = "CALL system.compact('" + ARRIVALS + "')";
    screen.line("");
    screen.line("Compaction merges them k-way into files that do not overlap:");
    screen.statement(call);
    Answer compacted = run(call);
    screen.rows(compacted);
    String outcome = compacted.rows().getFirst().toString();
    check(outcome.contains("without a sort"), "the compaction does not say that it did not sort");
    check(
        !compacted.status().path("plan").asString("SortExec").contains("SortExec"),
        "the compaction sorts");

    screen.line("");
    screen.line("The same query afterwards:");
    String after = explain(ARRIVALS_IN_ORDER);
    Answer sorted = run(ARRIVALS_IN_ORDER);
    check(!after.contains("SortExec"), "the plan after the compaction has a SortExec");
    check(
        sorted.rows().size() == unsorted.rows().size(),
        "the compaction changed the number of rows");
  }

  private void aggregate() {
    begin("5. An aggregate", "TPC-H query 1, in two phases over all cores.");
    String sql =
        """
        SELECT l_returnflag, l_linestatus, sum(l_quantity) AS quantity,
          sum(l_extendedprice * (1 - l_discount)) AS discounted, avg(l_extendedprice) AS average,
          count(*) AS items
        FROM %s
        WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY
        GROUP BY l_returnflag, l_linestatus
        ORDER BY l_returnflag, l_linestatus"""
            .formatted(LINEITEM);
    screen.statement(sql);
    Answer answer = run(sql);
    screen.rows(answer);
    screen.line(String.format(Locale.ROOT, "%.2f s", answer.elapsedSeconds()));
    check(answer.rows().size() == 4, "there are " + answer.rows().size() + " groups, not 4");
  }

  private void begin(String title, String explanation) {
    step = title;
    screen.heading(title, explanation);
  }

  private String explain(String sql) {
    screen.statement("EXPLAIN " + sql);
    String plan = run("EXPLAIN " + sql).text();
    screen.text(plan);
    return plan;
  }

  private String analyze(String sql) {
    screen.statement("EXPLAIN ANALYZE " + sql);
    String plan = run("EXPLAIN ANALYZE " + sql).text();
    screen.text(plan);
    return plan;
  }

  private void funnel(Answer answer, long allBytes) {
    screen.line("");
    screen.line(
        String.format(
            Locale.ROOT,
            "Skipped %d of %d files, %d of %d row groups, %d of %d pages; read %,d of %,d bytes"
                + " (%.1f %%).",
            answer.figure("filesPruned"),
            answer.figure("filesTotal"),
            answer.figure("rowGroupsPruned"),
            answer.figure("rowGroupsTotal"),
            answer.figure("pagesPruned"),
            answer.figure("pagesTotal"),
            answer.figure("bytesRead"),
            allBytes,
            100.0 * answer.figure("bytesRead") / Math.max(1, allBytes)));
  }

  private long tableBytes() {
    return run("SELECT sum(size_bytes) FROM system.runtime.file_facts WHERE table_name = 'lineitem'"
            + " AND schema_name = 'tpch'")
        .number();
  }

  /** The sum of a metric over the nodes of a plan with its figures. */
  private static long figure(String plan, String metric) {
    Matcher matcher = Pattern.compile(metric + "=([0-9,]+)").matcher(plan);
    long sum = 0;
    while (matcher.find()) {
      sum += Long.parseLong(matcher.group(1).replace(",", ""));
    }
    return sum;
  }

  private Answer run(String sql) {
    return Answer.of(client, sql, page -> {});
  }

  private void check(boolean shown, String otherwise) {
    if (!shown) {
      failures.add(step + ": " + otherwise);
      screen.line("FAILED: " + otherwise);
    }
  }
}
