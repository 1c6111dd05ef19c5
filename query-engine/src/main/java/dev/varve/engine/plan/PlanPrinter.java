package dev.varve.engine.plan;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * EXPLAIN text. One line a node, {@code Name: details}, children indented by two spaces; under a
 * node, led by {@code --}, its reasons. The same plan always gives the same text.
 */
public final class PlanPrinter {
  private PlanPrinter() {}

  /** EXPLAIN. */
  public static String text(PhysicalPlan plan) {
    StringBuilder text = new StringBuilder();
    append(text, plan, 0, false);
    return text.toString();
  }

  /** EXPLAIN ANALYZE: with what each node counted. */
  public static String analyzed(PhysicalPlan plan) {
    StringBuilder text = new StringBuilder();
    append(text, plan, 0, true);
    return text.toString();
  }

  /** EXPLAIN VERBOSE: the plan, then what each rule changed on the way to it. */
  public static String verbose(OptimizedPlan optimized, boolean analyze) {
    StringBuilder text = new StringBuilder();
    append(text, optimized.plan(), 0, analyze);
    for (TraceEntry entry : optimized.trace()) {
      text.append('\n').append(entry.rule()).append(" (").append(millis(entry.nanos())).append(')');
      if (entry.changed()) {
        text.append(":\n");
        append(text, entry.after(), 1, false);
      } else {
        text.append(": no change\n");
      }
    }
    return text.toString();
  }

  private static void append(StringBuilder text, PhysicalPlan plan, int depth, boolean analyze) {
    String indent = "  ".repeat(depth);
    text.append(indent).append(plan.name());
    String details = plan.details();
    if (!details.isEmpty()) {
      text.append(": ").append(details);
    }
    if (analyze) {
      text.append(metrics(counted(plan)));
    }
    text.append('\n');
    for (String reason : plan.reasons()) {
      text.append(indent).append("  -- ").append(reason).append('\n');
    }
    for (PhysicalPlan child : plan.children()) {
      append(text, child, depth + 1, analyze);
    }
  }

  /** What a node counted, and how many rows it was expected to give. */
  private static Map<String, Long> counted(PhysicalPlan plan) {
    Map<String, Long> values = new TreeMap<>(plan.metrics().snapshot());
    plan.statistics().rowCount().known().ifPresent(rows -> values.put("estimated_rows", rows));
    return values;
  }

  private static String metrics(Map<String, Long> values) {
    if (values.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder(" {");
    values.forEach(
        (name, value) ->
            text.append(text.length() == 2 ? "" : ", ")
                .append(name.endsWith("_nanos") ? name.substring(0, name.length() - 6) : name)
                .append('=')
                .append(name.endsWith("_nanos") ? millis(value) : value.toString()));
    return text.append('}').toString();
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
  }
}
