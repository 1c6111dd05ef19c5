package dev.varve.bench.contest;

import dev.varve.bench.arrow.ArrowSink;
import dev.varve.bench.measure.Figures;
import dev.varve.bench.measure.ProcessClock;
import dev.varve.bench.measure.Run;
import dev.varve.bench.report.Score;
import dev.varve.bench.result.Answer;
import dev.varve.bench.result.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Two engines in turn, or ours alone. */
public final class Duel {
  private final VarveContestant ours;
  private final Optional<? extends Contestant> peer;
  private final int warmups;
  private final int runs;
  private final ProcessClock clock = new ProcessClock();

  public Duel(VarveContestant ours, Optional<? extends Contestant> peer, int warmups, int runs) {
    this.ours = ours;
    this.peer = peer;
    this.warmups = warmups;
    this.runs = runs;
  }

  /** Does it with both once; what is different in the results, empty without a peer. */
  public Optional<String> difference(Workload work) {
    Answer mine = new Answer();
    work.run(ours, mine);
    if (peer.isEmpty()) {
      return Optional.empty();
    }
    Answer theirs = new Answer();
    work.run(peer.get(), theirs);
    return mine.differenceFrom(theirs);
  }

  /** The same for a result that is too large to be kept. */
  public Optional<String> differenceByDigest(Workload work, boolean ordered) {
    Digest mine = new Digest(ordered);
    work.run(ours, mine);
    if (peer.isEmpty()) {
      return Optional.empty();
    }
    Digest theirs = new Digest(ordered);
    work.run(peer.get(), theirs);
    return mine.differenceFrom(theirs);
  }

  /** Warms both up and measures them run by run in turn. */
  public Score measure(Workload work, Optional<String> difference) {
    for (int i = 0; i < warmups; i++) {
      work.run(ours, ArrowSink.counting());
      peer.ifPresent(p -> work.run(p, ArrowSink.counting()));
    }
    List<Run> mine = new ArrayList<>();
    List<Run> theirs = new ArrayList<>();
    ours.forgetPlanning();
    for (int i = 0; i < runs; i++) {
      mine.add(Run.of(clock, () -> work.run(ours, ArrowSink.counting())));
      peer.ifPresent(p -> theirs.add(Run.of(clock, () -> work.run(p, ArrowSink.counting()))));
    }
    double planningMillis = ours.planningMillis();
    return new Score(
        work.name(),
        Figures.of(mine),
        ours.peakBytes(work),
        planningMillis,
        peer.map(p -> Figures.of(theirs)),
        peer.map(p -> p.peakBytes(work)).orElse(OptionalLong.empty()),
        difference);
  }
}
