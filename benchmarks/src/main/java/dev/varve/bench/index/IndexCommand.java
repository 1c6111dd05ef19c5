package dev.varve.bench.index;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.varve.bench.Arguments;
import dev.varve.bench.BadUsage;
import dev.varve.bench.contest.Engines;
import dev.varve.bench.contest.PlanCache;
import dev.varve.bench.measure.MachineLoad;
import dev.varve.bench.measure.ProcessClock;
import dev.varve.catalog.CatalogSettings;
import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.index.StatPacker;
import dev.varve.catalog.store.Database;
import dev.varve.engine.QueryEngine;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.writer.WriterSinkFactory;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.catalog.Namespace;

/** {@code varve bench index}. */
public final class IndexCommand {
  private static final int SMALL_FILES = 1_000;
  private static final int COMMITTED_FILES = 100;

  private final long files;
  private final int columns;
  private final String database;
  private final Optional<String> jdbcUrl;
  private final int runs;
  private final int warmups;
  private final int commits;
  private final Optional<Path> json;
  private final Path home;

  private IndexCommand(Arguments arguments) {
    this.files = arguments.wholeNumber("--files", 100_000, 2 * SMALL_FILES, 10_000_000);
    this.columns = (int) arguments.wholeNumber("--columns", 20, 3, 1_000);
    this.database = arguments.choice("--database", List.of("h2", "postgres")).orElse("h2");
    this.jdbcUrl = arguments.text("--jdbc-url");
    if (jdbcUrl.isPresent() && !database.equals("postgres")) {
      throw new BadUsage("--jdbc-url is for --database postgres");
    }
    this.runs = (int) arguments.wholeNumber("--runs", 101, 1, 100_000);
    this.warmups = (int) arguments.wholeNumber("--warmups", 500, 0, 100_000);
    this.commits = (int) arguments.wholeNumber("--commits", 21, 0, 1_000);
    this.json = arguments.path("--json");
    this.home = arguments.path("--home").orElse(Path.of(".varve"));
  }

  public static IndexCommand parse(List<String> words) {
    return new IndexCommand(
        Arguments.parse(
            "index",
            words,
            Set.of(
                "--files",
                "--columns",
                "--database",
                "--jdbc-url",
                "--runs",
                "--warmups",
                "--commits",
                "--json",
                "--home",
                "--memory"),
            Set.of()));
  }

  /** The exit code: 1 if a plan is not over the files that it should be over. */
  public int run(PrintStream out) {
    Path folder =
        home.toAbsolutePath()
            .resolve("bench")
            .resolve("index-" + database + "-" + files + "-" + columns);
    MachineLoad load = MachineLoad.start(new ProcessClock());
    try (BenchDatabase opened = open(folder);
        LakeCatalog lake =
            LakeCatalog.open(
                opened.dataSource(),
                new CatalogSettings("lake", folder.resolve("warehouse").toString()),
                new LocalFileIO())) {
      Namespace schema = Namespace.of(SyntheticTable.SCHEMA);
      if (!lake.catalog().namespaceExists(schema)) {
        lake.catalog().createNamespace(schema);
      }
      List<PlanningCase.Figures> planning = planning(opened, lake, out);
      List<CommitFigures> committed = commits(lake);
      print(planning, committed, out);
      load.coresOfOthers()
          .ifPresent(cores -> out.printf(Locale.ROOT, "others used %.2f cores meanwhile%n", cores));
      json.ifPresent(file -> write(file, planning, committed));
      List<PlanningCase.Figures> wrong = planning.stream().filter(f -> !f.isRight()).toList();
      wrong.forEach(figures -> out.println("WRONG PLAN: " + figures));
      return wrong.isEmpty() ? 0 : 1;
    }
  }

  private BenchDatabase open(Path folder) {
    Path data = folder.resolve("database");
    try {
      Files.createDirectories(data);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep files in " + folder, e);
    }
    return switch (database) {
      case "h2" -> BenchDatabase.h2(data);
      default -> jdbcUrl.map(BenchDatabase::at).orElseGet(() -> BenchDatabase.postgres(data));
    };
  }

  private List<PlanningCase.Figures> planning(
      BenchDatabase opened, LakeCatalog lake, PrintStream out) {
    long start = System.nanoTime();
    SyntheticTable small = SyntheticTable.open(lake, "small", columns, SMALL_FILES);
    SyntheticTable large = SyntheticTable.open(lake, "large", columns, files);
    // What the service does in the background.
    while (new StatPacker(new Database(opened.dataSource())).packAll()) {
      out.println("packed");
    }
    out.printf(
        Locale.ROOT,
        "tables of %d and %d files of %d columns on %s, there after %d s%n",
        small.files(),
        large.files(),
        columns,
        database,
        (System.nanoTime() - start) / 1_000_000_000);
    try (QueryEngine engine =
        Engines.builder(
                new WriterSinkFactory(lake.layoutIndex()),
                Runtime.getRuntime().availableProcessors())
            .lake("lake", lake.catalog(), lake.layoutIndex())
            .startIn("lake", SyntheticTable.SCHEMA)
            .settings(PlanCache.settings(false))
            .build()) {
      return new PlanningCase.Runner(engine, lake.layoutIndex(), warmups, runs)
          .measure(small, large);
    }
  }

  /** What a commit of some files to a table of so many costs, without their staging. */
  record CommitFigures(long files, double cpuMillis, double wallMillis) {}

  /** In turn on a small and on the large table, which grow meanwhile. */
  private List<CommitFigures> commits(LakeCatalog lake) {
    if (commits == 0) {
      return List.of();
    }
    List<SyntheticTable> tables =
        List.of(
            SyntheticTable.open(lake, "tiny" + System.nanoTime(), columns, COMMITTED_FILES),
            SyntheticTable.open(lake, "large", columns, files));
    List<Samples> samples = List.of(new Samples(), new Samples());
    List<Long> sizes = tables.stream().map(SyntheticTable::files).toList();
    for (int run = -commits; run < commits; run++) {
      for (int i = 0; i < tables.size(); i++) {
        var append = tables.get(i).prepare(COMMITTED_FILES);
        SyntheticTable table = tables.get(i);
        samples.get(i).measure(run >= 0, () -> table.commit(append));
      }
    }
    List<CommitFigures> figures = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      figures.add(
          new CommitFigures(sizes.get(i), samples.get(i).cpuMillis(), samples.get(i).wallMillis()));
    }
    return figures;
  }

  private void print(
      List<PlanningCase.Figures> planning, List<CommitFigures> committed, PrintStream out) {
    out.printf(
        "%-34s %9s %7s %13s %10s %13s %10s%n",
        "planning, medians in ms", "files", "kept", "statement cpu", "wall", "index cpu", "wall");
    for (PlanningCase.Figures f : planning) {
      out.printf(
          Locale.ROOT,
          "%-34s %9d %7d %13.3f %10.3f %13.3f %10.3f%n",
          f.name(),
          f.files(),
          f.kept(),
          f.cpuMillis(),
          f.wallMillis(),
          f.indexCpuMillis(),
          f.indexWallMillis());
    }
    for (CommitFigures f : committed) {
      out.printf(
          Locale.ROOT,
          "commit of %d files to %d: cpu %.2f ms, wall %.2f ms%n",
          COMMITTED_FILES,
          f.files(),
          f.cpuMillis(),
          f.wallMillis());
    }
  }

  private void write(
      Path file, List<PlanningCase.Figures> planning, List<CommitFigures> committed) {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = mapper.createObjectNode();
    root.put("benchmark", "index");
    root.put("database", database);
    root.put("files", files);
    root.put("columns", columns);
    root.put("runs", runs);
    ArrayNode plans = root.putArray("planning");
    planning.forEach(figures -> plans.addPOJO(figures));
    ArrayNode commitFigures = root.putArray("commits");
    committed.forEach(figures -> commitFigures.addPOJO(figures));
    try {
      mapper.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
