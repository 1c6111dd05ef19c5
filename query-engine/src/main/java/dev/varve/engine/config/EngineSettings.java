package dev.varve.engine.config;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every setting of the engine. A setting that is not here does not exist. */
public final class EngineSettings {
  private static final List<Setting<?>> ALL = new ArrayList<>();

  public static final Setting<Integer> TARGET_PARTITIONS =
      integer(
          "execution.target_partitions",
          0,
          0,
          1024,
          "partitions",
          "Parallelism of a plan; 0 means the cores, any other value is taken literally.");
  public static final Setting<Integer> BATCH_SIZE =
      integer("execution.batch_size", 8192, 1, 65536, "rows", "Rows of a batch.");
  public static final Setting<Boolean> CONSTANT_HASH =
      bool(
          "testing.constant_hash",
          false,
          "Every hash is the same: shows what relies on hashes being different.");
  public static final Setting<Boolean> CHECK_ORDER =
      bool(
          "testing.check_order",
          false,
          "Streams assert at run time the orders that their nodes declare.");
  public static final Setting<Boolean> OPTIMIZER =
      bool(
          "optimizer.enabled",
          true,
          "Off: no rewrite that is not needed for a right answer; no pruning, no sort elimination, no top-k.");
  public static final Setting<Boolean> PLAN_CACHE =
      bool(
          "optimizer.plan_cache",
          true,
          "Logical plans of queries are kept and used again while the tables' columns are the same.");
  public static final Setting<Boolean> ELIMINATE_SORTS =
      bool(
          "optimizer.eliminate_sorts",
          true,
          "Sorts whose input is proven to be in order are removed.");
  public static final Setting<Boolean> SPLIT_FILE_GROUPS =
      bool(
          "optimizer.split_file_groups_by_statistics",
          true,
          "Files of an ordered table are grouped by their key ranges.");
  public static final Setting<Boolean> MERGE_JOIN =
      bool(
          "optimizer.merge_join",
          true,
          "Inputs that are in the order of the join keys are joined by merging.");
  public static final Setting<Long> MERGE_JOIN_ROWS =
      number(
          "optimizer.merge_join_min_rows",
          100_000,
          0,
          Long.MAX_VALUE,
          "rows",
          "A join with a side of fewer rows builds a table of it, whatever the order.");
  public static final Setting<Boolean> PRUNING =
      bool(
          "scan.pruning",
          true,
          "Files, row groups and pages are skipped by statistics and bloom filters.");
  public static final Setting<Boolean> LATE_MATERIALIZATION =
      bool(
          "scan.late_materialization",
          true,
          "Filter columns are decoded first, the others for surviving rows only.");
  public static final Setting<Boolean> DYNAMIC_FILTERS =
      bool(
          "optimizer.dynamic_filters",
          true,
          "What a running query finds out may skip rows where they are read; each kind has its own switch besides.");
  public static final Setting<Boolean> JOIN_DYNAMIC_FILTERS =
      bool(
          "optimizer.join_dynamic_filters",
          true,
          "The keys of a join's build side skip rows of the other side.");
  public static final Setting<Long> QUERY_MEMORY_LIMIT =
      bytes("memory.query_limit", 0, "Memory one query may reserve; 0 means the pool's.");
  public static final Setting<Long> QUERY_SPILL_LIMIT =
      bytes(
          "spill.query_limit",
          0,
          "Disk one query may take for what does not fit into its memory; 0 means all of the spill folder's.");
  public static final Setting<Long> COLLECT_BUILD_BYTES =
      bytes(
          "optimizer.hash_join_single_partition_threshold",
          512L << 20,
          "A hash join whose build side is smaller makes one table of it that all partitions of the other side share; of a larger one both sides are divided by the keys.");
  public static final Setting<Long> COLLECT_BUILD_ROWS =
      number(
          "optimizer.hash_join_single_partition_threshold_rows",
          16L << 20,
          0,
          Long.MAX_VALUE,
          "rows",
          "The same, where bytes are unknown.");
  public static final Setting<Integer> SUBSET_PARTITIONS =
      integer(
          "optimizer.subset_partitioning_threshold",
          4,
          1,
          1024,
          "partitions",
          "Rows divided by some of the keys that a node wants together are not divided again if they are in at least this many partitions.");
  public static final Setting<Integer> DEFAULT_FILTER_SELECTIVITY =
      integer(
          "optimizer.default_filter_selectivity",
          20,
          0,
          100,
          "percent",
          "Rows that a filter keeps where statistics do not tell.");
  public static final Setting<Long> STATEMENT_TIMEOUT =
      number(
          "statement_timeout",
          0,
          0,
          Long.MAX_VALUE,
          "milliseconds",
          "A statement that runs longer is cancelled; 0 means never.");
  public static final Setting<ZoneId> TIME_ZONE =
      register(
          new Setting<>(
              "timezone",
              ZoneId.class,
              ZoneId.of("UTC"),
              "",
              "The session's time zone.",
              text -> {
                try {
                  return ZoneId.of(text);
                } catch (java.time.DateTimeException e) {
                  throw new IllegalArgumentException("no such time zone", e);
                }
              }));

  private static final Pattern SIZE = Pattern.compile("(\\d+)\\s*([kmgt]?)i?b?");

  private EngineSettings() {}

  public static List<Setting<?>> all() {
    return Collections.unmodifiableList(ALL);
  }

  private static <T> Setting<T> register(Setting<T> setting) {
    ALL.add(setting);
    return setting;
  }

  private static Setting<Boolean> bool(String name, boolean defaultValue, String description) {
    return register(
        new Setting<>(
            name,
            Boolean.class,
            defaultValue,
            "",
            description,
            text ->
                switch (text.toLowerCase(Locale.ROOT)) {
                  case "true", "on", "yes", "1" -> true;
                  case "false", "off", "no", "0" -> false;
                  default -> throw new IllegalArgumentException("not true or false");
                }));
  }

  private static Setting<Integer> integer(
      String name, int defaultValue, int min, int max, String unit, String description) {
    return register(
        new Setting<>(
            name,
            Integer.class,
            defaultValue,
            unit,
            description,
            text -> (int) parseNumber(text, min, max)));
  }

  private static Setting<Long> number(
      String name, long defaultValue, long min, long max, String unit, String description) {
    return register(
        new Setting<>(
            name,
            Long.class,
            defaultValue,
            unit,
            description,
            text -> parseNumber(text, min, max)));
  }

  private static Setting<Long> bytes(String name, long defaultValue, String description) {
    return register(
        new Setting<>(
            name, Long.class, defaultValue, "bytes", description, EngineSettings::parseBytes));
  }

  private static long parseNumber(String text, long min, long max) {
    long value;
    try {
      value = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a whole number", e);
    }
    if (value < min || value > max) {
      throw new IllegalArgumentException("not between " + min + " and " + max);
    }
    return value;
  }

  /** {@code 64MB}, {@code 1g}, {@code 1048576}. */
  public static long parseBytes(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a size such as 64MB");
    }
    try {
      int shift =
          switch (matcher.group(2)) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            case "t" -> 40;
            default -> 0;
          };
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("too large", e);
    }
  }
}
