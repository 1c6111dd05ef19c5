package dev.varve.engine.scan;

import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of a scan are divided over its partitions, and what verified facts prove of that.
 *
 * @param groups one for each partition
 * @param by the order for which the files were arranged so, which chains of a group are merged by
 * @param cuts by which values the groups were cut apart, where they were
 * @param reversed whether all of it is read from its end to its beginning: the last group is the
 *     first partition, and each row comes after those that follow it in its file
 */
record Division(
    List<FileGroup> groups, Optional<TableOrdering> by, Optional<Cuts> cuts, boolean reversed) {

  /**
   * Group i holds the rows whose {@code key} is at least value i - 1 and below value i, in the
   * direction of the key.
   *
   * @param values as {@link dev.varve.engine.batch.Column#value} gives them; none is null
   */
  record Cuts(OrderingField key, List<Object> values) {
    Cuts {
      values = List.copyOf(values);
    }
  }

  Division {
    groups = List.copyOf(groups);
    if (by.isEmpty() && groups.stream().anyMatch(FileGroup::isMerged)) {
      throw new IllegalArgumentException("chains are merged by an order");
    }
    if (cuts.isPresent() && cuts.get().values().size() + 1 != groups.size()) {
      throw new IllegalArgumentException(
          groups.size() + " groups cut at " + cuts.get().values().size() + " values");
    }
  }

  Division(List<FileGroup> groups, Optional<TableOrdering> by, Optional<Cuts> cuts) {
    this(groups, by, cuts, false);
  }

  static Division of(List<FileGroup> groups) {
    return new Division(groups, Optional.empty(), Optional.empty());
  }

  int count() {
    return groups.size();
  }

  Division backwards() {
    return new Division(groups, by, cuts, !reversed);
  }

  /** What a partition reads, its slices in the sequence in which they are read. */
  FileGroup partition(int index) {
    if (!reversed) {
      return groups.get(index);
    }
    return new FileGroup(
        groups.get(groups.size() - 1 - index).chains().stream().map(List::reversed).toList());
  }

  /** Whether every group is in {@code ordering}, or in its reverse where that is how it is read. */
  boolean isOrdered(TableOrdering ordering) {
    return groups.stream()
        .allMatch(
            group ->
                group.chains().stream().allMatch(chain -> isOrdered(chain, ordering))
                    && (!group.isMerged() || by.orElseThrow().satisfies(ordering)));
  }

  /** The same of all groups, read one after the other. */
  boolean isOrderedAcross(TableOrdering ordering) {
    if (!isOrdered(ordering)) {
      return false;
    }
    if (groups.size() <= 1 || cuts.filter(c -> isFirst(c.key(), ordering)).isPresent()) {
      return true;
    }
    List<FileSlice> all = new ArrayList<>();
    for (FileGroup group : groups) {
      if (group.isMerged()) {
        return false;
      }
      all.addAll(group.slices());
    }
    return isOrdered(all, ordering);
  }

  private static boolean isFirst(OrderingField key, TableOrdering ordering) {
    return ordering.fields().getFirst().equals(key);
  }

  private static boolean isOrdered(List<FileSlice> slices, TableOrdering ordering) {
    Optional<KeyRange> before = Optional.empty();
    FileFacts file = null;
    for (FileSlice slice : slices) {
      OrderingFact fact = slice.file().ordering(ordering).orElse(null);
      if (fact == null || fact.trust() != Trust.VERIFIED) {
        return false;
      }
      if (file != null && file != slice.file()) {
        if (before.isEmpty()
            || fact.range().isEmpty()
            || before.get().upper().compareTo(fact.range().get().lower()) > 0) {
          return false;
        }
      }
      file = slice.file();
      before = fact.range();
    }
    return true;
  }

  /**
   * With the surviving files only. Groups that are left empty fall away, unless values cut them
   * apart: then they stay, so that the ranges do.
   */
  Division without(List<FileFacts> surviving) {
    Set<FileFacts> kept = Collections.newSetFromMap(new IdentityHashMap<>());
    kept.addAll(surviving);
    List<FileGroup> result = new ArrayList<>();
    for (FileGroup group : groups) {
      List<List<FileSlice>> chains = new ArrayList<>();
      for (List<FileSlice> chain : group.chains()) {
        List<FileSlice> slices = chain.stream().filter(s -> kept.contains(s.file())).toList();
        if (!slices.isEmpty()) {
          chains.add(slices);
        }
      }
      if (!chains.isEmpty()) {
        result.add(new FileGroup(chains));
      } else if (cuts.isPresent()) {
        result.add(FileGroup.of(List.of()));
      }
    }
    return new Division(
        result.isEmpty() ? List.of(FileGroup.of(List.of())) : result, by, cuts, reversed);
  }

  /** The value at a cut, for {@link dev.varve.engine.properties.Partitioning.Range}. */
  List<List<@Nullable Object>> splitPoints() {
    List<List<@Nullable Object>> points = new ArrayList<>();
    for (Object value : cuts.orElseThrow().values()) {
      List<@Nullable Object> point = new ArrayList<>();
      point.add(value);
      points.add(point);
    }
    return points;
  }
}
