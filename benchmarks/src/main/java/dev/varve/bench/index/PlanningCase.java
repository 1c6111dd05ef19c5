package dev.varve.bench.index;

import dev.varve.engine.QueryEngine;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.Principal;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A predicate of which each run takes another value.
 *
 * @param kept files that a plan has, from and to
 */
enum PlanningCase {
  KEY("range of the sort key", "k between %d and %d", 10, 11, false),
  ORDERED("the same, in its order", "k between %d and %d order by k", 10, 11, false),
  FOLLOWING("value of a column that follows it", "c2 = %d", 1, 40, false),
  TWO("the same and a region", "c2 = %d and c3 = 'region-07'", 0, 4, false),
  ALL("no predicate", "true", 0, 0, true);

  private static final int KEPT = 10;
  private static final Pattern FILES = Pattern.compile("files=(\\d+)");

  private final String label;
  private final String predicate;
  private final int fewest;
  private final int most;
  private final boolean whole;

  PlanningCase(String label, String predicate, int fewest, int most, boolean whole) {
    this.label = label;
    this.predicate = predicate;
    this.fewest = fewest;
    this.most = most;
    this.whole = whole;
  }

  /**
   * What planning cost: the statement's from its text to the physical plan, and the index's part,
   * asked alone.
   */
  record Figures(
      String name,
      long files,
      long kept,
      double cpuMillis,
      double wallMillis,
      double indexCpuMillis,
      double indexWallMillis,
      boolean isRight) {}

  private String sql(String table, long from) {
    return "explain select k, c2 from "
        + table
        + " where "
        + predicate.formatted(from, from + (KEPT - 1) * SyntheticTable.KEYS);
  }

  private List<ColumnRange> ranges(long from) {
    EncodedKey lower = KeyEncoding.encodeLong(from);
    EncodedKey upper = KeyEncoding.encodeLong(from + (KEPT - 1) * SyntheticTable.KEYS);
    ColumnRange region =
        ColumnRange.of(3, List.of(KeyEncoding.encodeValue(KeyType.STRING, "region-07")), false);
    return switch (this) {
      case KEY, ORDERED ->
          List.of(new ColumnRange(1, Optional.of(lower), Optional.of(upper), false));
      case FOLLOWING -> List.of(ColumnRange.of(2, List.of(lower), false));
      case TWO -> List.of(ColumnRange.of(2, List.of(lower), false), region);
      case ALL -> List.of();
    };
  }

  private boolean isRight(String plan, long kept, long files) {
    boolean count = whole ? kept == files : kept >= fewest && kept <= most;
    return count && !plan.contains("SortExec");
  }

  /** Measures cases on two tables in turn. */
  static final class Runner {
    private final Session session;
    private final LayoutIndex index;
    private final int warmups;
    private final int runs;
    private final SplittableRandom random = new SplittableRandom(7);

    Runner(QueryEngine engine, LayoutIndex index, int warmups, int runs) {
      this.session = engine.openSession(new Principal("bench", Set.of()));
      this.index = index;
      this.warmups = warmups;
      this.runs = runs;
    }

    List<Figures> measure(SyntheticTable small, SyntheticTable large) {
      List<Figures> figures = new ArrayList<>();
      for (PlanningCase one : values()) {
        Samples[] statements = {new Samples(), new Samples()};
        Samples[] answers = {new Samples(), new Samples()};
        String[] plans = {"", ""};
        boolean[] right = {true, true};
        // Without a predicate there is too much to do for as many runs.
        long divisor = one.whole ? Math.max(25, large.files() / 4_000) : 1;
        for (long run = -warmups / divisor; run < Math.max(1, runs / divisor); run++) {
          for (int i = 0; i < 2; i++) {
            SyntheticTable table = i == 0 ? small : large;
            long from = SyntheticTable.KEYS * random.nextLong(table.files() - KEPT - 1) + 7;
            plans[i] = statement(one.sql(i == 0 ? "small" : "large", from), run, statements[i]);
            right[i] &= one.isRight(plans[i], kept(plans[i]), table.files());
            LayoutQuery query =
                new LayoutQuery(
                    table.uuid(), table.snapshotId(), one.ranges(from), Optional.empty());
            boolean counts = run >= 0;
            answers[i].measure(counts, () -> answered(index.plan(query)));
          }
        }
        for (int i = 0; i < 2; i++) {
          figures.add(
              new Figures(
                  one.label,
                  (i == 0 ? small : large).files(),
                  kept(plans[i]),
                  statements[i].cpuMillis(),
                  statements[i].wallMillis(),
                  answers[i].cpuMillis(),
                  answers[i].wallMillis(),
                  right[i]));
        }
      }
      return figures;
    }

    private static void answered(LayoutAnswer answer) {
      if (!(answer instanceof LayoutAnswer.Complete)) {
        throw new IllegalStateException("no answer: " + answer);
      }
    }

    private String statement(String sql, long run, Samples samples) {
      long start = System.nanoTime();
      StringBuilder text = new StringBuilder();
      try (QueryHandle query = session.submit(sql)) {
        for (Batch batch = query.nextBatch(); batch != null; batch = query.nextBatch()) {
          for (int row = 0; row < batch.rowCount(); row++) {
            text.append(batch.column(0).value(row)).append('\n');
          }
        }
        if (run >= 0) {
          samples.add(query.progress().planningCpuMicros() * 1_000, System.nanoTime() - start);
        }
      }
      return text.toString();
    }

    private static long kept(String plan) {
      Matcher files = FILES.matcher(plan);
      return files.find() ? Long.parseLong(files.group(1)) : 0;
    }
  }
}
