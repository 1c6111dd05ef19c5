package dev.varve.bench.sorted;

import dev.varve.bench.contest.Case;
import dev.varve.bench.contest.Lookups;
import dev.varve.bench.contest.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that an ordering should make cheap.
 *
 * @param ordered the order of rows is part of the answer
 */
record SortedCase(String plainName, Workload work, boolean ordered) {

  String sql() {
    return switch (work) {
      case Case query -> query.sql();
      case Lookups lookups -> lookups.sql();
      case Workload other -> throw new IllegalStateException("no statement in " + other);
    };
  }

  /** Values for the parameters, for EXPLAIN. */
  List<@Nullable Object> exampleParameters() {
    return work instanceof Lookups lookups ? List.of(lookups.parameters()[0]) : List.of();
  }
}
