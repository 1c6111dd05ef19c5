package dev.varve.engine.properties;

import java.util.Optional;

/** What a node promises about its output; computed once, at construction. */
public record PlanProperties(
    Partitioning partitioning,
    EquivalenceProperties equivalences,
    Boundedness boundedness,
    EvaluationType evaluation,
    SchedulingType scheduling) {

  public static PlanProperties of(Partitioning partitioning, EquivalenceProperties equivalences) {
    return new PlanProperties(
        partitioning,
        equivalences,
        Boundedness.BOUNDED,
        EvaluationType.LAZY,
        SchedulingType.NON_COOPERATIVE);
  }

  public PlanProperties eager() {
    return new PlanProperties(
        partitioning, equivalences, boundedness, EvaluationType.EAGER, SchedulingType.COOPERATIVE);
  }

  public PlanProperties cooperative() {
    return new PlanProperties(
        partitioning, equivalences, boundedness, evaluation, SchedulingType.COOPERATIVE);
  }

  /** The ordering of each partition's stream, if one is known. */
  public Optional<LexOrdering> outputOrdering() {
    return equivalences.outputOrdering();
  }
}
