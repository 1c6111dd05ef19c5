package dev.varve.bench.sorted;

import dev.varve.bench.Arguments;
import dev.varve.bench.BadUsage;
import dev.varve.bench.contest.DuckDbContestant;
import dev.varve.bench.contest.Duel;
import dev.varve.bench.contest.LocalLake;
import dev.varve.bench.contest.PlanCache;
import dev.varve.bench.contest.VarveContestant;
import dev.varve.bench.measure.MachineLoad;
import dev.varve.bench.measure.PeakMemory;
import dev.varve.bench.measure.ProcessClock;
import dev.varve.bench.report.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code varve bench sorted}. */
public final class SortedCommand {
  private static final long ROWS_STEP = (long) SortedTables.FILES * SortedTables.EVENTS_OF_A_KEY;

  private final long rows;
  private final Optional<String> peer;
  private final List<Variant> variants;
  private final Optional<String> only;
  private final int runs;
  private final int warmups;
  private final int lookups;
  private final boolean explain;
  private final Optional<Path> json;
  private final Path home;

  /** How the files' key ranges lie. */
  enum Variant {
    DISJOINT,
    OVERLAP;

    String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  private SortedCommand(Arguments arguments) {
    this.rows = arguments.wholeNumber("--rows", 20_000_000, ROWS_STEP, 10_000_000_000L);
    if (rows % ROWS_STEP != 0) {
      throw new BadUsage(
          "--rows " + rows + " is not a multiple of " + ROWS_STEP + ": files have whole keys");
    }
    this.peer = arguments.choice("--peer", List.of("duckdb"));
    this.variants =
        arguments
            .choice("--variant", List.of("disjoint", "overlap"))
            .map(word -> List.of(Variant.valueOf(word.toUpperCase(java.util.Locale.ROOT))))
            .orElse(List.of(Variant.values()));
    this.only = arguments.choice("--case", SortedCases.names());
    this.runs = (int) arguments.wholeNumber("--runs", 5, 1, 10_000);
    this.warmups = (int) arguments.wholeNumber("--warmups", 3, 0, 10_000);
    this.lookups = (int) arguments.wholeNumber("--lookups", 1000, 1, 1_000_000);
    this.explain = arguments.has("--explain");
    this.json = arguments.path("--json");
    this.home = arguments.path("--home").orElse(Path.of(".varve"));
  }

  public static SortedCommand parse(List<String> words) {
    return new SortedCommand(
        Arguments.parse(
            "sorted",
            words,
            Set.of(
                "--rows",
                "--peer",
                "--variant",
                "--case",
                "--lookups",
                "--runs",
                "--warmups",
                "--json",
                "--home",
                "--memory"),
            Set.of("--explain")));
  }

  /** The exit code. */
  public int run(PrintStream out) {
    int cores = Runtime.getRuntime().availableProcessors();
    Report report =
        new Report(
            new Report.Circumstances(
                "sorted", rows + " rows", peer, "varve", cores, warmups, runs, false));
    ProcessClock clock = new ProcessClock();
    MachineLoad load = MachineLoad.start(clock);
    List<String> sorting = new ArrayList<>();
    boolean first = true;
    for (Variant variant : variants) {
      Path folder = home.resolve("bench").resolve("sorted-" + rows + "-" + variant.label());
      try {
        Files.createDirectories(folder);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot keep files in " + folder, e);
      }
      try (LocalLake lake = LocalLake.open(folder, cores, PlanCache.settings(false));
          VarveContestant ours = new VarveContestant(lake.engine());
          DuckDbContestant duckdb = new DuckDbContestant(cores)) {
        SortedTables.prepare(ours, duckdb, variant == Variant.OVERLAP, rows, folder, out);
        if (first) {
          report.header(out);
          first = false;
        }
        Duel duel = new Duel(ours, peer.map(name -> duckdb), warmups, runs);
        for (SortedCase one : SortedCases.all(rows, variant.label(), lookups)) {
          if (only.isPresent() && !only.get().equals(one.plainName())) {
            continue;
          }
          String plan = ours.explain(one.sql(), one.exampleParameters());
          if (PlanProof.sorts(plan)) {
            sorting.add(one.work().name());
          }
          Optional<String> difference = duel.differenceByDigest(one.work(), one.ordered());
          report.add(duel.measure(one.work(), difference), out);
          out.print(explain ? plan.indent(4) : PlanProof.of(plan).indent(4));
          out.flush();
        }
      }
    }
    Report.Conditions conditions =
        new Report.Conditions(clock.loadAverage(), load.coresOfOthers(), PeakMemory.ofProcess());
    report.footer(out, conditions);
    out.println(
        sorting.isEmpty()
            ? "no plan has a sort"
            : "PLANS WITH A SORT: " + String.join(", ", sorting));
    if (json.isPresent()) {
      try {
        report.write(json.get(), conditions);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + json.get(), e);
      }
    }
    return sorting.isEmpty() && report.allEqual() ? 0 : 1;
  }
}
