package dev.varve.bench.contest;

import dev.varve.bench.arrow.ArrowSink;

/** A prepared query of one parameter, once for each of many values. */
public record Lookups(String name, String sql, long[] parameters) implements Workload {
  @Override
  public void run(Contestant contestant, ArrowSink sink) {
    contestant.lookUp(sql, parameters, sink);
  }
}
