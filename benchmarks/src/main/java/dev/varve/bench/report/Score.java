package dev.varve.bench.report;

import dev.varve.bench.measure.Figures;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The figures of one query.
 *
 * @param planningMillis median processor time of our planning in the measured runs
 * @param difference what is different in the results; empty if nothing is
 */
public record Score(
    String name,
    Figures ours,
    OptionalLong oursPeakBytes,
    double planningMillis,
    Optional<Figures> peer,
    OptionalLong peerPeakBytes,
    Optional<String> difference) {

  /** Our median wall time divided by the peer's. */
  public OptionalDouble ratio() {
    return peer.isPresent()
        ? OptionalDouble.of(ours.wallMillis() / peer.get().wallMillis())
        : OptionalDouble.empty();
  }
}
