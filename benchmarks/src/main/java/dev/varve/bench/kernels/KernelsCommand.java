package dev.varve.bench.kernels;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.varve.bench.Arguments;
import dev.varve.bench.BadUsage;
import dev.varve.bench.contest.ContestFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * {@code varve bench kernels}: JMH over this package. A benchmark class has a method {@code plain},
 * the loop that anyone would write; the others are given as ratios to it.
 */
public final class KernelsCommand {
  private static final String PLAIN = "plain";

  private final String filter;
  private final int forks;
  private final int iterations;
  private final int millis;
  private final Optional<Path> json;

  private KernelsCommand(Arguments arguments) {
    this.filter = arguments.text("--filter").orElse("");
    this.forks = (int) arguments.wholeNumber("--forks", 1, 0, 100);
    this.iterations = (int) arguments.wholeNumber("--iterations", 5, 1, 1000);
    this.millis = (int) arguments.wholeNumber("--millis", 500, 1, 60_000);
    this.json = arguments.path("--json");
  }

  public static KernelsCommand parse(List<String> words) {
    return new KernelsCommand(
        Arguments.parse(
            "kernels",
            words,
            Set.of(
                "--filter", "--forks", "--iterations", "--millis", "--json", "--home", "--memory"),
            Set.of()));
  }

  /** The exit code. */
  public int run(PrintStream out) {
    Collection<RunResult> results;
    try {
      results =
          new Runner(
                  new OptionsBuilder()
                      .include("dev\\.varve\\.bench\\.kernels\\..*" + filter)
                      .forks(forks)
                      .warmupIterations(iterations)
                      .warmupTime(TimeValue.milliseconds(millis))
                      .measurementIterations(iterations)
                      .measurementTime(TimeValue.milliseconds(millis))
                      .verbosity(VerboseMode.SILENT)
                      .shouldFailOnError(true)
                      .build())
              .run();
    } catch (NoBenchmarksException e) {
      throw new BadUsage("--filter " + filter + " fits no benchmark");
    } catch (RunnerException e) {
      throw new ContestFailure("JMH fails: " + e.getMessage(), e);
    }
    Map<String, Map<String, Double>> cases = new TreeMap<>();
    for (RunResult result : results) {
      String method = result.getParams().getBenchmark();
      int dot = method.lastIndexOf('.');
      String type = method.substring(method.lastIndexOf('.', dot - 1) + 1, dot);
      String parameters =
          String.join(
              " ",
              result.getParams().getParamsKeys().stream()
                  .map(result.getParams()::getParam)
                  .toList());
      String name = (type.replace("Benchmark", "") + " " + parameters).strip();
      cases
          .computeIfAbsent(name.toLowerCase(Locale.ROOT), key -> new TreeMap<>())
          .put(method.substring(dot + 1), result.getPrimaryResult().getScore());
    }
    print(cases, out);
    if (json.isPresent()) {
      write(cases, json.get());
    }
    return 0;
  }

  private static void print(Map<String, Map<String, Double>> cases, PrintStream out) {
    out.printf("%-20s %-12s %12s %16s%n", "case", "how", "us per batch", "ratio to plain");
    cases.forEach(
        (name, times) -> {
          double plain = times.getOrDefault(PLAIN, Double.NaN);
          times.forEach(
              (how, micros) ->
                  out.printf(
                      Locale.ROOT,
                      "%-20s %-12s %12.2f %16.2f%n",
                      name,
                      how,
                      micros,
                      micros / plain));
        });
    out.flush();
  }

  private static void write(Map<String, Map<String, Double>> cases, Path file) {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = mapper.createObjectNode();
    root.put("benchmark", "kernels");
    var kernels = root.putArray("kernels");
    cases.forEach(
        (name, times) -> {
          ObjectNode node = kernels.addObject();
          node.put("name", name);
          times.forEach((how, micros) -> node.put(how + "_us", micros));
          Double kernel = times.get("kernel");
          Double plain = times.get(PLAIN);
          if (kernel != null && plain != null) {
            node.put("ratio", kernel / plain);
          }
        });
    try {
      Files.writeString(
          file, mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
