package dev.varve.service.writers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.service.writers.Journal.Change;
import dev.varve.service.writers.Journal.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Holds the rows of tables against what their writers were told. */
final class Ledger {
  private final List<Change> changes;

  Ledger(List<Change> changes) {
    this.changes = changes;
  }

  /** {@code append ACKNOWLEDGED=12, ...} */
  Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    changes.forEach(c -> counts.merge(c.kind() + " " + c.outcome(), 1L, Long::sum));
    return counts;
  }

  long count(Outcome outcome) {
    return changes.stream().filter(c -> c.outcome() == outcome).count();
  }

  /**
   * @param rows by table, how often each id is there
   */
  void check(Map<String, Map<Long, Integer>> rows) {
    Map<Long, Change> removals = new HashMap<>();
    for (Change change : changes) {
      if (change.outcome() != Outcome.REFUSED) {
        change.removed().forEach(id -> removals.put(id, change));
      }
    }
    List<String> wrong = new ArrayList<>();
    Map<String, Set<Long>> known = new HashMap<>();
    for (Change change : changes) {
      Set<Integer> presence = new HashSet<>();
      for (String table : change.tables()) {
        Map<Long, Integer> there = rows.get(table);
        for (long id : change.added()) {
          known.computeIfAbsent(table, t -> new HashSet<>()).add(id);
          int count = there.getOrDefault(id, 0);
          Change removal = removals.get(id);
          boolean right =
              switch (change.outcome()) {
                case REFUSED -> count == 0;
                case UNKNOWN -> count <= 1;
                case ACKNOWLEDGED ->
                    removal == null
                        ? count == 1
                        : removal.outcome() == Outcome.ACKNOWLEDGED ? count == 0 : count <= 1;
              };
          if (!right) {
            wrong.add(
                "row "
                    + id
                    + " is "
                    + count
                    + " times in "
                    + table
                    + " after "
                    + change
                    + (removal == null ? "" : " and " + removal));
          }
          if (removal == null) {
            presence.add(count);
          }
        }
        if (change.kind().equals("overwrite") && change.outcome() == Outcome.UNKNOWN) {
          change.removed().forEach(id -> presence.add(1 - there.getOrDefault(id, 0)));
        }
      }
      if (presence.size() > 1) {
        wrong.add("done in part: " + change);
      }
    }
    rows.forEach(
        (table, there) ->
            there.keySet().stream()
                .filter(id -> !known.getOrDefault(table, Set.of()).contains(id))
                .forEach(id -> wrong.add("row " + id + " of " + table + " was never written")));
    assertThat(wrong).as("%s changes", changes.size()).isEmpty();
  }
}
