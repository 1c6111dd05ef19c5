package dev.varve.writer.compact;

import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is rewritten, and what is left alone and why.
 *
 * <p>In a table with an order, files are taken in key order: those that overlap, and those that are
 * small, each with its neighbours until a file of the target size comes of them. A lone small file
 * stays. Files that are not verified cannot be merged without a sort and stay too. Without an
 * order, small files are put together.
 *
 * @param unverified files of an ordered table whose order nobody has checked
 * @param kept files that are well as they are
 */
record CompactionPlan(
    List<CompactionGroup> groups, List<FileFacts> unverified, List<FileFacts> kept, int keptDepth) {
  CompactionPlan {
    groups = List.copyOf(groups);
    unverified = List.copyOf(unverified);
    kept = List.copyOf(kept);
  }

  static CompactionPlan of(
      List<FileFacts> files, Optional<TableOrdering> ordering, CompactionOptions options) {
    return ordering.isPresent() ? sorted(files, ordering.get(), options) : unsorted(files, options);
  }

  private static CompactionPlan sorted(
      List<FileFacts> files, TableOrdering ordering, CompactionOptions options) {
    List<SortedRun> runs = new ArrayList<>();
    List<FileFacts> unverified = new ArrayList<>();
    for (FileFacts file : files) {
      Optional<KeyRange> range = verifiedRange(file, ordering);
      if (range.isPresent()) {
        runs.add(new SortedRun(file, range.get()));
      } else {
        unverified.add(file);
      }
    }
    List<CompactionGroup> groups = new ArrayList<>();
    List<SortedRun> kept = new ArrayList<>();
    List<SortedRun> open = new ArrayList<>();
    for (List<SortedRun> component : KeyOverlap.components(runs)) {
      boolean work =
          component.size() > 1 || component.getFirst().file().sizeBytes() < options.minFileBytes();
      if (!work || bytes(open) >= options.writer().targetFileBytes()) {
        close(open, groups, kept, options);
        open = new ArrayList<>();
      }
      if (work) {
        open.addAll(component);
      } else {
        kept.addAll(component);
      }
    }
    close(open, groups, kept, options);
    return new CompactionPlan(
        groups, unverified, kept.stream().map(SortedRun::file).toList(), KeyOverlap.depth(kept));
  }

  /** Only a range of this very order compares with the others. */
  private static Optional<KeyRange> verifiedRange(FileFacts file, TableOrdering ordering) {
    return file.orderings().stream()
        .filter(fact -> fact.trust() == Trust.VERIFIED && fact.ordering().equals(ordering))
        .findFirst()
        .flatMap(OrderingFact::range);
  }

  /**
   * Makes groups of a run of files in key order. Files that do not overlap are read one after the
   * other, so only the depth limits a merge; what is deeper is merged in parts first.
   */
  private static void close(
      List<SortedRun> open,
      List<CompactionGroup> groups,
      List<SortedRun> kept,
      CompactionOptions options) {
    int size =
        KeyOverlap.depth(open) <= options.maxMergeFiles() ? open.size() : options.maxMergeFiles();
    for (int from = 0; from < open.size(); from += size) {
      List<SortedRun> part = open.subList(from, Math.min(open.size(), from + size));
      if (part.size() == 1) {
        kept.addAll(part);
      } else {
        groups.add(
            new CompactionGroup(
                part.stream().map(SortedRun::file).toList(), true, KeyOverlap.depth(part)));
      }
    }
  }

  private static long bytes(List<SortedRun> runs) {
    return runs.stream().mapToLong(run -> run.file().sizeBytes()).sum();
  }

  private static CompactionPlan unsorted(List<FileFacts> files, CompactionOptions options) {
    List<FileFacts> small =
        files.stream()
            .filter(file -> file.sizeBytes() < options.minFileBytes())
            .sorted(Comparator.comparing(FileFacts::path))
            .toList();
    List<CompactionGroup> groups = new ArrayList<>();
    List<FileFacts> kept =
        new ArrayList<>(
            files.stream().filter(file -> file.sizeBytes() >= options.minFileBytes()).toList());
    List<FileFacts> open = new ArrayList<>();
    long bytes = 0;
    for (FileFacts file : small) {
      open.add(file);
      bytes += file.sizeBytes();
      if (bytes >= options.writer().targetFileBytes()) {
        closeUnsorted(open, groups, kept);
        open = new ArrayList<>();
        bytes = 0;
      }
    }
    closeUnsorted(open, groups, kept);
    return new CompactionPlan(groups, List.of(), kept, 0);
  }

  private static void closeUnsorted(
      List<FileFacts> open, List<CompactionGroup> groups, List<FileFacts> kept) {
    if (open.size() > 1) {
      groups.add(new CompactionGroup(open, false, 0));
    } else {
      kept.addAll(open);
    }
  }
}
