package dev.varve.bench.measure;

import dev.varve.bench.arrow.ArrowSink;
import dev.varve.bench.contest.Case;
import dev.varve.bench.contest.Contestant;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** Where one engine's CPU time goes, by Flight Recorder's samples. */
public final class Profile {
  private static final String PERIOD = "2 ms";
  private static final List<String> EVENTS =
      List.of("jdk.ExecutionSample", "jdk.NativeMethodSample");
  private static final int SHOWN = 12;

  private final Path file;

  public Profile(Path file) {
    this.file = file;
  }

  /** Runs every query {@code runs} times, and prints the methods that were sampled most. */
  public void record(Contestant engine, List<Case> queries, int runs, PrintStream out)
      throws IOException {
    Map<String, Integer> total = new HashMap<>();
    for (Case query : queries) {
      Path part = queries.size() == 1 ? file : part(query.name());
      try (Recording recording = new Recording()) {
        for (String event : EVENTS) {
          recording.enable(event).with("period", PERIOD);
        }
        recording.start();
        for (int i = 0; i < runs; i++) {
          engine.run(query.sql(), ArrowSink.counting());
        }
        recording.stop();
        recording.dump(part);
      }
      Map<String, Integer> samples = samples(part);
      samples.forEach((method, count) -> total.merge(method, count, Integer::sum));
      print(query.name(), samples, out);
    }
    if (queries.size() > 1) {
      print("all", total, out);
    }
  }

  private Path part(String query) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return file.resolveSibling(
        dot < 0 ? name + "-" + query : name.substring(0, dot) + "-" + query + name.substring(dot));
  }

  private static Map<String, Integer> samples(Path recording) throws IOException {
    Map<String, Integer> samples = new HashMap<>();
    try (RecordingFile events = new RecordingFile(recording)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        RecordedStackTrace stack = event.getStackTrace();
        if (EVENTS.contains(event.getEventType().getName())
            && stack != null
            && !stack.getFrames().isEmpty()) {
          RecordedFrame top = stack.getFrames().get(0);
          String type = top.getMethod().getType().getName();
          if (!waits(type, top.getMethod().getName())) {
            samples.merge(
                type.substring(type.lastIndexOf('.') + 1) + "." + top.getMethod().getName(),
                1,
                Integer::sum);
          }
        }
      }
    }
    return samples;
  }

  /** Native methods in which threads sit idle. */
  private static boolean waits(String type, String method) {
    return type.startsWith("sun.nio.ch.") && (method.contains("wait") || method.contains("poll"))
        || type.startsWith("jdk.internal.misc") && method.equals("park");
  }

  private static void print(String title, Map<String, Integer> samples, PrintStream out) {
    int all = samples.values().stream().mapToInt(i -> i).sum();
    out.printf(Locale.ROOT, "%n%s: %d samples%n", title, all);
    samples.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(SHOWN)
        .forEach(
            e ->
                out.printf(
                    Locale.ROOT, "  %5.1f %%  %s%n", 100.0 * e.getValue() / all, e.getKey()));
    out.flush();
  }
}
