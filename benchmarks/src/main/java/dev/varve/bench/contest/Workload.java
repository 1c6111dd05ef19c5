package dev.varve.bench.contest;

import dev.varve.bench.arrow.ArrowSink;

/** What both engines do, with its name in reports. */
public interface Workload {
  String name();

  void run(Contestant contestant, ArrowSink sink);
}
