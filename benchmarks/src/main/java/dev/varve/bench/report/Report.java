package dev.varve.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The figures of one invocation, as a table and as JSON. */
public final class Report {
  private static final double MEGABYTE = 1 << 20;

  private final Circumstances circumstances;
  private final List<Score> scores = new ArrayList<>();

  public Report(Circumstances circumstances) {
    this.circumstances = circumstances;
  }

  public void header(PrintStream out) {
    out.println(circumstances.title());
    out.printf(
        Locale.ROOT,
        "%-20s %10s %10s %7s %10s %10s %8s %9s %9s  %s%n",
        "query",
        "ours ms",
        "peer ms",
        "ratio",
        "ours cpu",
        "peer cpu",
        "planning",
        "ours MB",
        "peer MB",
        "equal");
    out.flush();
  }

  public void add(Score score, PrintStream out) {
    scores.add(score);
    out.printf(
        Locale.ROOT,
        "%-20s %10.1f %10s %7s %10.1f %10s %8.1f %9s %9s  %s%n",
        score.name(),
        score.ours().wallMillis(),
        score.peer().map(p -> decimals(p.wallMillis(), 1)).orElse("-"),
        text(score.ratio(), 2),
        score.ours().cpuMillis(),
        score.peer().map(p -> decimals(p.cpuMillis(), 1)).orElse("-"),
        score.planningMillis(),
        megabytes(score.oursPeakBytes()),
        megabytes(score.peerPeakBytes()),
        score.peer().isEmpty() ? "-" : score.difference().map(d -> "NO: " + d).orElse("yes"));
    out.flush();
  }

  public OptionalDouble geometricMean() {
    double[] logarithms =
        scores.stream()
            .map(Score::ratio)
            .filter(OptionalDouble::isPresent)
            .mapToDouble(ratio -> Math.log(ratio.getAsDouble()))
            .toArray();
    if (logarithms.length == 0) {
      return OptionalDouble.empty();
    }
    double sum = 0;
    for (double logarithm : logarithms) {
      sum += logarithm;
    }
    return OptionalDouble.of(Math.exp(sum / logarithms.length));
  }

  /** Ours by CPU time. */
  private OptionalDouble cpuMean() {
    double sum = 0;
    int count = 0;
    for (Score score : scores) {
      if (score.peer().isPresent() && score.peer().get().cpuMillis() > 0) {
        sum += Math.log(Math.max(0.01, score.ours().cpuMillis()) / score.peer().get().cpuMillis());
        count++;
      }
    }
    return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.exp(sum / count));
  }

  private double medianPlanning() {
    double[] sorted = scores.stream().mapToDouble(Score::planningMillis).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }

  public boolean allEqual() {
    return scores.stream().allMatch(score -> score.difference().isEmpty());
  }

  public void footer(PrintStream out, Conditions conditions) {
    if (geometricMean().isPresent()) {
      out.printf(
          Locale.ROOT,
          "geometric mean of ratios %s (CPU time %s), largest %s%n",
          text(geometricMean(), 3),
          text(cpuMean(), 3),
          text(scores.stream().mapToDouble(s -> s.ratio().orElse(0)).max(), 2));
    }
    out.printf(Locale.ROOT, "median of our planning %.1f ms of CPU time%n", medianPlanning());
    out.printf(
        Locale.ROOT,
        "load average %.2f, cores used by other processes %s, peak memory of this process %s MB%n",
        conditions.loadAverage(),
        text(conditions.coresOfOthers(), 2),
        megabytes(conditions.peakBytes()));
    out.flush();
  }

  public void write(Path file, Conditions conditions) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = circumstances.json(mapper);
    var queries = root.putArray("queries");
    for (Score score : scores) {
      ObjectNode query = queries.addObject();
      query.put("name", score.name());
      query.put("ours_ms", rounded(score.ours().wallMillis()));
      score.peer().ifPresent(p -> query.put("peer_ms", rounded(p.wallMillis())));
      score.ratio().ifPresent(ratio -> query.put("ratio", rounded(ratio)));
      score.peer().ifPresent(p -> query.put("equal", score.difference().isEmpty()));
      score.difference().ifPresent(difference -> query.put("difference", difference));
      query.put("ours_cpu_ms", rounded(score.ours().cpuMillis()));
      score.peer().ifPresent(p -> query.put("peer_cpu_ms", rounded(p.cpuMillis())));
      query.put("planning_cpu_ms", rounded(score.planningMillis()));
      score.oursPeakBytes().ifPresent(bytes -> query.put("ours_peak_bytes", bytes));
      score.peerPeakBytes().ifPresent(bytes -> query.put("peer_peak_bytes", bytes));
    }
    geometricMean().ifPresent(mean -> root.put("geomean_ratio", rounded(mean)));
    cpuMean().ifPresent(mean -> root.put("geomean_cpu_ratio", rounded(mean)));
    root.put("median_planning_cpu_ms", rounded(medianPlanning()));
    root.put("load_average", rounded(conditions.loadAverage()));
    conditions.coresOfOthers().ifPresent(cores -> root.put("cores_of_others", rounded(cores)));
    conditions.peakBytes().ifPresent(bytes -> root.put("process_peak_bytes", bytes));
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.writeString(
        file, mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private static String decimals(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  private static String text(OptionalDouble value, int digits) {
    return value.isPresent() ? decimals(value.getAsDouble(), digits) : "-";
  }

  private static String megabytes(OptionalLong bytes) {
    return bytes.isPresent() ? decimals(bytes.getAsLong() / MEGABYTE, 1) : "-";
  }

  /** What the machine was like while we measured. */
  public record Conditions(
      double loadAverage, OptionalDouble coresOfOthers, OptionalLong peakBytes) {}

  /** What was measured. */
  public record Circumstances(
      String benchmark,
      String size,
      Optional<String> peer,
      String files,
      int cores,
      int warmups,
      int runs,
      boolean planCache) {
    String title() {
      return benchmark
          + " "
          + size
          + peer.map(name -> ", against " + name).orElse("")
          + ", files by "
          + files
          + ", "
          + cores
          + " cores, "
          + warmups
          + " warm-ups and "
          + runs
          + " runs"
          + (planCache ? ", plans kept" : ", planning included");
    }

    ObjectNode json(ObjectMapper mapper) {
      ObjectNode node = mapper.createObjectNode();
      node.put("benchmark", benchmark);
      node.put("size", size);
      peer.ifPresent(name -> node.put("peer", name));
      node.put("files", files);
      node.put("cores", cores);
      node.put("warmups", warmups);
      node.put("runs", runs);
      node.put("plan_cache", planCache);
      return node;
    }
  }
}
