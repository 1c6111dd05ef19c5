package dev.varve.bench.contest;

import dev.varve.bench.arrow.ArrowSink;
import java.util.OptionalLong;

/** An engine that runs statements, one at a time, from text to its last Arrow batch. */
public interface Contestant extends AutoCloseable {
  String name();

  /** Runs a query, planning included. */
  void run(String sql, ArrowSink sink);

  /** Runs it once more and says how much memory it had reserved at most, if that is known. */
  OptionalLong peakBytes(String sql);

  @Override
  void close();
}
