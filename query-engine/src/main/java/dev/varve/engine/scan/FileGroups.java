package dev.varve.engine.scan;

import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Divides files into groups, one for each partition. Deterministic. */
final class FileGroups {
  /** Files without known row groups are cut at multiples of this. */
  private static final long CUT_BYTES = 8 << 20;

  private FileGroups() {}

  enum Strategy {
    /**
     * Each file goes to the smallest group whose last file lies below it. The groups are in order
     * inside, but interleave: enough for a k-way merge.
     */
    BEST_FIT,
    /**
     * Files in order, cut so that every group lies entirely below the next (equal keys may meet at
     * a cut). Needs files that do not overlap at all.
     */
    CONTIGUOUS
  }

  /** Groups, or the reason why there are none. */
  sealed interface Outcome {
    record Grouped(List<FileGroup> groups) implements Outcome {
      public Grouped {
        groups = List.copyOf(groups);
      }
    }

    record Refused(String reason) implements Outcome {}
  }

  /** A file with the range of its keys in an ordering. */
  private record Ranged(FileFacts file, KeyRange range) {}

  /**
   * Groups whose partitions are in {@code ordering}, by verified facts alone.
   *
   * @param show how a reason names a file
   * @param describe how a reason names the ordering
   */
  static Outcome ordered(
      List<FileFacts> files,
      TableOrdering ordering,
      int maxGroups,
      Strategy strategy,
      Function<FileFacts, String> show,
      String describe) {
    List<Ranged> ranged = new ArrayList<>(files.size());
    List<FileFacts> unranged = new ArrayList<>();
    for (FileFacts file : files) {
      OrderingFact fact = file.ordering(ordering).orElse(null);
      if (fact == null) {
        return new Outcome.Refused(
            show.apply(file) + ": " + unknownOrder(file, ordering, describe));
      }
      if (fact.trust() != Trust.VERIFIED) {
        return new Outcome.Refused(
            show.apply(file) + ": order " + describe + " is asserted, not verified");
      }
      if (fact.range().isPresent()) {
        ranged.add(new Ranged(file, fact.range().get()));
      } else {
        unranged.add(file);
      }
    }
    ranged.sort(
        Comparator.comparing((Ranged r) -> r.range.lower())
            .thenComparing(r -> r.range.upper())
            .thenComparing(r -> r.file.path()));
    return switch (strategy) {
      case BEST_FIT -> bestFit(ranged, unranged, maxGroups, show, describe);
      case CONTIGUOUS -> contiguous(ranged, unranged, maxGroups, show, describe);
    };
  }

  /**
   * As few groups as the overlaps allow, each in {@code ordering}: what a k-way merge of any number
   * of files reads.
   */
  static Outcome chains(
      List<FileFacts> files,
      TableOrdering ordering,
      Function<FileFacts, String> show,
      String describe) {
    for (int groups = 1; groups < files.size(); groups = groups * 2) {
      Outcome outcome = ordered(files, ordering, groups, Strategy.BEST_FIT, show, describe);
      if (outcome instanceof Outcome.Grouped) {
        return outcome;
      }
    }
    return ordered(files, ordering, Math.max(1, files.size()), Strategy.BEST_FIT, show, describe);
  }

  private static String unknownOrder(FileFacts file, TableOrdering ordering, String describe) {
    boolean violated =
        file.orderings().stream()
            .anyMatch(f -> f.trust() == Trust.VIOLATED && f.ordering().satisfies(ordering));
    return violated
        ? "order " + describe + " is violated"
        : "order " + describe + " is not known of it";
  }

  private static Outcome bestFit(
      List<Ranged> ranged,
      List<FileFacts> unranged,
      int maxGroups,
      Function<FileFacts, String> show,
      String describe) {
    // A file without a range is in order by itself, and beside nothing else.
    List<FileGroup> groups = new ArrayList<>();
    unranged.forEach(file -> groups.add(FileGroup.of(List.of(file))));
    if (groups.size() > maxGroups || (groups.size() == maxGroups && !ranged.isEmpty())) {
      return new Outcome.Refused(
          show.apply(unranged.getLast()) + ": no key range for " + describe + " is known");
    }
    List<List<Ranged>> open = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    for (Ranged file : ranged) {
      int best = -1;
      for (int i = 0; i < open.size(); i++) {
        boolean fits = open.get(i).getLast().range.upper().compareTo(file.range.lower()) <= 0;
        if (fits && (best < 0 || sizes.get(i) < sizes.get(best))) {
          best = i;
        }
      }
      boolean mayOpen = groups.size() + open.size() < maxGroups;
      if (best >= 0 && !mayOpen) {
        open.get(best).add(file);
        sizes.set(best, sizes.get(best) + file.file.sizeBytes());
      } else if (mayOpen) {
        open.add(new ArrayList<>(List.of(file)));
        sizes.add(file.file.sizeBytes());
      } else {
        return new Outcome.Refused(overlap(open, file, maxGroups, show, describe));
      }
    }
    for (List<Ranged> group : open) {
      groups.add(FileGroup.of(group.stream().map(Ranged::file).toList()));
    }
    return new Outcome.Grouped(groups.isEmpty() ? List.of(FileGroup.of(List.of())) : groups);
  }

  private static String overlap(
      List<List<Ranged>> open,
      Ranged file,
      int maxGroups,
      Function<FileFacts, String> show,
      String describe) {
    String other = open.isEmpty() ? "another file" : show.apply(open.getFirst().getLast().file);
    return other
        + " and "
        + show.apply(file.file)
        + " overlap in "
        + describe
        + ": more than "
        + maxGroups
        + (maxGroups == 1 ? " group is needed" : " groups are needed");
  }

  private static Outcome contiguous(
      List<Ranged> ranged,
      List<FileFacts> unranged,
      int maxGroups,
      Function<FileFacts, String> show,
      String describe) {
    if (!unranged.isEmpty() && ranged.size() + unranged.size() > 1) {
      return new Outcome.Refused(
          show.apply(unranged.getFirst()) + ": no key range for " + describe + " is known");
    }
    for (int i = 1; i < ranged.size(); i++) {
      Ranged before = ranged.get(i - 1);
      Ranged file = ranged.get(i);
      if (before.range.upper().compareTo(file.range.lower()) > 0) {
        return new Outcome.Refused(
            show.apply(before.file) + " and " + show.apply(file.file) + " overlap in " + describe);
      }
    }
    List<FileFacts> inOrder = new ArrayList<>(unranged);
    ranged.forEach(r -> inOrder.add(r.file));
    return new Outcome.Grouped(cut(inOrder, maxGroups));
  }

  /** A stretch of a file that is not cut. */
  private record Unit(FileFacts file, long start, long end, long bytes) {}

  /**
   * The files in the given order, cut into at most {@code maxGroups} groups of about equal bytes,
   * inside files at row groups only. A group is a run of the whole: what is in order stays so.
   */
  static List<FileGroup> cut(List<FileFacts> files, int maxGroups) {
    List<Unit> units = new ArrayList<>();
    // Whole files make groups that end where files end, of which the key range is known.
    boolean wholeFiles = files.size() >= 2 * maxGroups;
    for (FileFacts file : files) {
      addUnits(file, wholeFiles || maxGroups == 1, units);
    }
    long total = Math.max(1, units.stream().mapToLong(Unit::bytes).sum());
    List<List<FileSlice>> groups = new ArrayList<>();
    for (int i = 0; i < maxGroups; i++) {
      groups.add(new ArrayList<>());
    }
    double before = 0;
    for (Unit unit : units) {
      double middle = before + unit.bytes / 2.0;
      int group = (int) Math.min(maxGroups - 1, Math.floor(middle * maxGroups / total));
      add(groups.get(group), unit);
      before += unit.bytes;
    }
    List<FileGroup> result = new ArrayList<>();
    for (List<FileSlice> slices : groups) {
      if (!slices.isEmpty()) {
        result.add(FileGroup.chain(slices));
      }
    }
    return result.isEmpty() ? List.of(FileGroup.of(List.of())) : result;
  }

  private static void add(List<FileSlice> slices, Unit unit) {
    if (!slices.isEmpty()
        && slices.getLast().file() == unit.file
        && slices.getLast().end() == unit.start) {
      FileSlice last = slices.removeLast();
      slices.add(new FileSlice(unit.file, last.start(), unit.end));
    } else {
      slices.add(new FileSlice(unit.file, unit.start, unit.end));
    }
  }

  private static void addUnits(FileFacts file, boolean whole, List<Unit> units) {
    List<Long> cuts = new ArrayList<>();
    if (!whole) {
      if (file.rowGroups().isEmpty()) {
        for (long at = CUT_BYTES; at < file.sizeBytes(); at += CUT_BYTES) {
          cuts.add(at);
        }
      } else {
        for (int i = 1; i < file.rowGroups().size(); i++) {
          cuts.add(file.rowGroups().get(i).startOffset());
        }
      }
    }
    long start = 0;
    for (long cut : cuts) {
      if (cut > start && cut < file.sizeBytes()) {
        units.add(new Unit(file, start, cut, cut - start));
        start = cut;
      }
    }
    units.add(new Unit(file, start, Long.MAX_VALUE, Math.max(1, file.sizeBytes() - start)));
  }
}
