package dev.varve.bench.tpch;

import dev.varve.bench.Arguments;
import dev.varve.bench.contest.Case;
import dev.varve.bench.contest.DuckDbContestant;
import dev.varve.bench.contest.Duel;
import dev.varve.bench.contest.Engines;
import dev.varve.bench.contest.PlanCache;
import dev.varve.bench.contest.VarveContestant;
import dev.varve.bench.measure.MachineLoad;
import dev.varve.bench.measure.PeakMemory;
import dev.varve.bench.measure.ProcessClock;
import dev.varve.bench.measure.Profile;
import dev.varve.bench.report.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code varve bench tpch}. */
public final class TpchCommand {
  private final double scale;
  private final Optional<String> peer;
  private final String writer;
  private final List<Case> queries;
  private final int runs;
  private final int warmups;
  private final boolean planCache;
  private final Optional<Path> json;
  private final Optional<Path> profile;
  private final Path home;
  private final Optional<Path> data;

  private TpchCommand(Arguments arguments) {
    this.scale = arguments.number("--scale", 0.001, 1000);
    this.peer = arguments.choice("--peer", List.of("duckdb"));
    this.writer = arguments.choice("--files", List.of("duckdb", "varve")).orElse("duckdb");
    this.queries = arguments.text("--queries").map(TpchQueries::of).orElseGet(TpchQueries::all);
    this.runs = (int) arguments.wholeNumber("--runs", 7, 1, 10_000);
    this.warmups = (int) arguments.wholeNumber("--warmups", 5, 0, 10_000);
    this.planCache = arguments.has("--plan-cache");
    this.json = arguments.path("--json");
    this.profile = arguments.path("--profile");
    this.home = arguments.path("--home").orElse(Path.of(".varve"));
    this.data = arguments.path("--data");
  }

  public static TpchCommand parse(List<String> words) {
    return new TpchCommand(
        Arguments.parse(
            "tpch",
            words,
            Set.of(
                "--scale",
                "--peer",
                "--files",
                "--queries",
                "--runs",
                "--warmups",
                "--profile",
                "--json",
                "--home",
                "--data",
                "--memory"),
            Set.of("--plan-cache")));
  }

  /** The exit code. */
  public int run(PrintStream out) {
    Map<String, String> files =
        data.map(TpchFiles::in).orElseGet(() -> TpchFiles.cached(home, scale, writer, out));
    int cores = Runtime.getRuntime().availableProcessors();
    try (VarveContestant ours =
            new VarveContestant(Engines.overFiles(files, cores, PlanCache.settings(planCache)));
        DuckDbContestant duckdb = peer.isPresent() ? new DuckDbContestant(cores) : null) {
      if (duckdb != null) {
        files.forEach((table, file) -> duckdb.view(table, List.of(file)));
      }
      return measure(ours, Optional.ofNullable(duckdb), cores, out);
    }
  }

  private int measure(
      VarveContestant ours, Optional<DuckDbContestant> duckdb, int cores, PrintStream out) {
    Duel duel = new Duel(ours, duckdb, warmups, runs);
    // Every query runs before any is measured: none gets a machine that knows no other.
    List<Optional<String>> differences = queries.stream().map(duel::difference).toList();
    Report report =
        new Report(
            new Report.Circumstances(
                "tpch",
                "scale " + scale,
                peer,
                data.isPresent() ? "others" : writer,
                cores,
                warmups,
                runs,
                planCache));
    ProcessClock clock = new ProcessClock();
    MachineLoad load = MachineLoad.start(clock);
    report.header(out);
    for (int i = 0; i < queries.size(); i++) {
      report.add(duel.measure(queries.get(i), differences.get(i)), out);
    }
    Report.Conditions conditions =
        new Report.Conditions(clock.loadAverage(), load.coresOfOthers(), PeakMemory.ofProcess());
    report.footer(out, conditions);
    try {
      if (json.isPresent()) {
        report.write(json.get(), conditions);
      }
      if (profile.isPresent()) {
        new Profile(profile.get()).record(ours, queries, runs, out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return report.allEqual() ? 0 : 1;
  }
}
