package dev.varve.catalog.upkeep;

import dev.varve.layout.upkeep.LakeUpkeep.Kind;
import dev.varve.layout.upkeep.LakeUpkeep.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Files that may go, taken in bounded portions: each is held against all tables, and what none
 * names is removed. What leads to files that could not be removed stays with them, so that they are
 * found again. Confined to one thread.
 */
final class Sweep {
  /** A file that may go. */
  record Candidate(Kind kind, String location) {}

  private static final int PORTION = 200_000;

  private final FileRemoval removal;
  private final Consumer<Map<String, Candidate>> retain;
  private final Map<String, Candidate> portion = new LinkedHashMap<>();
  private boolean complete = true;

  /**
   * @param retain takes out what some table names
   */
  Sweep(FileRemoval removal, Consumer<Map<String, Candidate>> retain) {
    this.removal = removal;
    this.retain = retain;
  }

  void add(Kind kind, String location) {
    portion.put(FileNames.of(location), new Candidate(kind, location));
    if (portion.size() >= PORTION) {
      sweep();
    }
  }

  /** Removes what was added; returns whether all that was added so far is gone or has a table. */
  boolean sweep() {
    retain.accept(portion);
    for (Kind kind : Kind.values()) {
      List<String> locations = new ArrayList<>();
      portion
          .values()
          .forEach(
              candidate -> {
                if (candidate.kind == kind) {
                  locations.add(candidate.location);
                }
              });
      boolean leads = kind == Kind.MANIFEST || kind == Kind.MANIFEST_LIST || kind == Kind.METADATA;
      if (leads && !complete) {
        removal.count(kind, Outcome.FAILED, locations.size());
      } else if (removal.remove(kind, locations) < locations.size()) {
        complete = false;
      }
    }
    portion.clear();
    return complete;
  }
}
