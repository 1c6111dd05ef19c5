package dev.varve.engine.differential;

import java.util.function.Predicate;

/** Cuts branches off a query as long as what is left still fails. */
final class Shrinker {
  private final Predicate<Query> fails;
  private final long deadlineNanos;

  Shrinker(Predicate<Query> fails, long budgetMillis) {
    this.fails = fails;
    this.deadlineNanos = System.nanoTime() + budgetMillis * 1_000_000;
  }

  Query shrink(Query query) {
    Query smallest = query;
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (Query candidate : smallest.smaller()) {
        if (System.nanoTime() > deadlineNanos) {
          return smallest;
        }
        if (candidate.sql().length() < smallest.sql().length() && fails.test(candidate)) {
          smallest = candidate;
          smaller = true;
          break;
        }
      }
    }
    return smallest;
  }
}
