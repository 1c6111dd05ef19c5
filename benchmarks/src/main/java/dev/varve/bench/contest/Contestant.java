package dev.varve.bench.contest;

import dev.varve.bench.arrow.ArrowSink;
import java.util.OptionalLong;

/** An engine that runs statements, one at a time, from text to its last Arrow batch. */
public interface Contestant extends AutoCloseable {
  String name();

  /** Runs a query, planning included. */
  void run(String sql, ArrowSink sink);

  /** Prepares a query of one parameter and runs it with each of {@code parameters}. */
  void lookUp(String sql, long[] parameters, ArrowSink sink);

  /** Does the work once more and says how much memory it had reserved at most, if that is known. */
  OptionalLong peakBytes(Workload work);

  @Override
  void close();
}
