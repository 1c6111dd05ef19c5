package dev.varve.bench.sorted;

import dev.varve.bench.contest.Case;
import dev.varve.bench.contest.Lookups;
import java.util.List;
import java.util.Random;

/** The cases, over tables {@code events} and {@code others}. */
final class SortedCases {
  private static final long SEED = 20261130;

  private SortedCases() {}

  static List<String> names() {
    return all(1_000_000, "", 1).stream().map(SortedCase::plainName).toList();
  }

  static List<SortedCase> all(long rows, String variant, int lookups) {
    long keys = rows / SortedTables.EVENTS_OF_A_KEY;
    return List.of(
        query("order by", variant, true, "SELECT key, ts, amount FROM events ORDER BY key, ts"),
        query(
            "limit",
            variant,
            true,
            "SELECT key, ts, device, amount, state FROM events ORDER BY key, ts LIMIT 100"),
        query(
            "range",
            variant,
            true,
            "SELECT key, ts, device, amount FROM events WHERE key BETWEEN %d AND %d ORDER BY key, ts"
                .formatted(keys / 2, keys / 2 + keys / 100)),
        new SortedCase(
            "point",
            new Lookups(
                name("point", variant),
                "SELECT key, ts, device, amount, state FROM events WHERE key = ?",
                distinctKeys(keys, lookups)),
            false),
        query(
            "group by",
            variant,
            false,
            "SELECT key, count(*) AS n, sum(amount) AS total FROM events GROUP BY key"),
        query("distinct", variant, false, "SELECT DISTINCT key FROM events"),
        query(
            "merge join",
            variant,
            false,
            "SELECT e.key, e.ts, e.amount, o.device FROM events e JOIN others o ON e.key = o.key AND"
                + " e.ts = o.ts"));
  }

  private static SortedCase query(String name, String variant, boolean ordered, String sql) {
    return new SortedCase(name, new Case(name(name, variant), sql), ordered);
  }

  private static String name(String name, String variant) {
    return name + ", " + variant;
  }

  private static long[] distinctKeys(long keys, int count) {
    return new Random(SEED).longs(0, keys).distinct().limit(Math.min(count, keys)).toArray();
  }
}
