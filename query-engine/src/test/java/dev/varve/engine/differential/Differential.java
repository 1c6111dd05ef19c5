package dev.varve.engine.differential;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Asks Varve, in several configurations, and a peer the same query over the same files. Confined to
 * one thread.
 */
public final class Differential {
  /** What these codes say is that a query cannot be run, not that its data is bad. */
  private static final Set<String> NOT_BUILT = Set.of("FEATURE_NOT_SUPPORTED");

  /** What comparing came to. */
  public sealed interface Outcome {}

  /** All say the same. */
  public record Same() implements Outcome {}

  /** Varve says that it cannot do this yet. */
  public record NotBuilt(String message) implements Outcome {}

  /** The answer has too many rows to be compared. */
  public record Skipped() implements Outcome {}

  /** The peer refuses; Varve's configurations agree with one another. */
  public record PeerRefuses(String message) implements Outcome {}

  /**
   * One configuration says something else.
   *
   * @param kind the code of its error, or ROWS
   */
  public record Different(String configuration, String kind, String what) implements Outcome {}

  private final Map<String, Function<String, Answer>> engines;
  private final Function<String, Answer> peer;

  /**
   * @param engines by the name of their configuration
   */
  public Differential(
      Map<String, Function<String, Answer>> engines, Function<String, Answer> peer) {
    this.engines = new LinkedHashMap<>(engines);
    this.peer = peer;
  }

  /** The outcome over all configurations: the first that differs, if one does. */
  public Outcome compare(Statement statement) {
    Answer right = peer.apply(statement.sql());
    if (right instanceof Answer.TooLarge) {
      return new Skipped();
    }
    Outcome worst = right instanceof Answer.Refusal r ? new PeerRefuses(r.message()) : new Same();
    Answer first = null;
    for (Map.Entry<String, Function<String, Answer>> engine : engines.entrySet()) {
      Answer ours = engine.getValue().apply(statement.sql());
      if (ours instanceof Answer.Refusal r && NOT_BUILT.contains(r.code())) {
        worst = new NotBuilt(r.message());
        continue;
      }
      Answer wanted = right;
      if (right instanceof Answer.Refusal) {
        wanted = first == null ? ours : first;
        first = wanted;
      }
      Optional<String> difference = difference(ours, wanted, statement);
      if (difference.isPresent()) {
        return new Different(engine.getKey(), kind(ours), difference.get());
      }
    }
    return worst;
  }

  private static String kind(Answer answer) {
    return answer instanceof Answer.Refusal refusal ? refusal.code() : "ROWS";
  }

  /** Whether another statement shows the same fault: the peer's rows against ours. */
  boolean shows(Different fault, Statement statement) {
    Answer right = peer.apply(statement.sql());
    if (!(right instanceof Answer.Rows)) {
      return false;
    }
    Answer ours = engine(fault.configuration()).apply(statement.sql());
    return kind(ours).equals(fault.kind()) && difference(ours, right, statement).isPresent();
  }

  Answer peer(String sql) {
    return peer.apply(sql);
  }

  Function<String, Answer> engine(String configuration) {
    Function<String, Answer> engine = engines.get(configuration);
    if (engine == null) {
      throw new IllegalArgumentException("no configuration " + configuration);
    }
    return engine;
  }

  static Optional<String> difference(Answer ours, Answer right, Statement statement) {
    return switch (ours) {
      case Answer.Refusal r
          when r.code().equals("INTERNAL_ERROR") || right instanceof Answer.Rows ->
          Optional.of(r.code() + ": " + r.message());
      case Answer.Refusal r -> Optional.empty();
      case Answer.TooLarge large -> Optional.empty();
      case Answer.Rows rows ->
          switch (right) {
            case Answer.TooLarge large -> Optional.empty();
            case Answer.Rows wanted -> Cells.difference(rows.rows(), wanted.rows(), statement);
            case Answer.Refusal r -> Optional.of("rows where others say " + r.message());
          };
    };
  }
}
