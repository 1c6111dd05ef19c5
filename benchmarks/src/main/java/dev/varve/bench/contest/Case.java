package dev.varve.bench.contest;

import dev.varve.bench.arrow.ArrowSink;

/** A query, planned in every run. */
public record Case(String name, String sql) implements Workload {
  @Override
  public void run(Contestant contestant, ArrowSink sink) {
    contestant.run(sql, sink);
  }
}
