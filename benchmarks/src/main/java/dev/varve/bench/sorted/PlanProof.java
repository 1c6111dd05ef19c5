package dev.varve.bench.sorted;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a plan says about sorts. */
final class PlanProof {
  /** Merging sorted streams is no sort. */
  private static final Pattern SORT = Pattern.compile("\\b(?:Partial)?SortExec\\b|\\bTopK\\w*\\b");

  private static final Pattern NODE = Pattern.compile("\\b(\\w+Exec)\\b");

  private static final Pattern REASON =
      Pattern.compile("(?i)\\border(?:ing|ed)?\\b.*|.*verified.*");

  private PlanProof() {}

  static boolean sorts(String plan) {
    return SORT.matcher(plan).find();
  }

  /** Its nodes, and the lines that say which ordering is relied on. */
  static String of(String plan) {
    String nodes =
        NODE.matcher(plan).results().map(m -> m.group(1)).collect(Collectors.joining(" <- "));
    String reasons =
        plan.lines()
            .map(String::strip)
            .filter(line -> REASON.matcher(line).matches())
            .distinct()
            .collect(Collectors.joining("\n"));
    return reasons.isEmpty() ? nodes : nodes + "\n" + reasons;
  }
}
