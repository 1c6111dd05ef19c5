package dev.varve.bench.contest;

import dev.varve.bench.arrow.ArrowSink;
import dev.varve.bench.measure.Figures;
import dev.varve.bench.measure.ProcessClock;
import dev.varve.bench.measure.Run;
import dev.varve.bench.report.Score;
import dev.varve.bench.result.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Two engines in turn, or ours alone. */
public final class Duel {
  private final Contestant ours;
  private final Optional<? extends Contestant> peer;
  private final int warmups;
  private final int runs;
  private final ProcessClock clock = new ProcessClock();

  public Duel(Contestant ours, Optional<? extends Contestant> peer, int warmups, int runs) {
    this.ours = ours;
    this.peer = peer;
    this.warmups = warmups;
    this.runs = runs;
  }

  /** Runs both once; what is different in the results, empty if nothing is or there is no peer. */
  public Optional<String> difference(Case query) {
    Answer mine = new Answer();
    ours.run(query.sql(), mine);
    if (peer.isEmpty()) {
      return Optional.empty();
    }
    Answer theirs = new Answer();
    peer.get().run(query.sql(), theirs);
    return mine.differenceFrom(theirs);
  }

  /** Warms both up and measures them run by run in turn. */
  public Score measure(Case query, Optional<String> difference) {
    for (int i = 0; i < warmups; i++) {
      ours.run(query.sql(), ArrowSink.counting());
      peer.ifPresent(p -> p.run(query.sql(), ArrowSink.counting()));
    }
    List<Run> mine = new ArrayList<>();
    List<Run> theirs = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      mine.add(Run.of(clock, () -> ours.run(query.sql(), ArrowSink.counting())));
      peer.ifPresent(
          p -> theirs.add(Run.of(clock, () -> p.run(query.sql(), ArrowSink.counting()))));
    }
    return new Score(
        query.name(),
        Figures.of(mine),
        ours.peakBytes(query.sql()),
        peer.map(p -> Figures.of(theirs)),
        peer.map(p -> p.peakBytes(query.sql())).orElse(OptionalLong.empty()),
        difference);
  }
}
