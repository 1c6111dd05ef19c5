package dev.varve.engine.scan;

import dev.varve.engine.config.EngineSettings;
import dev.varve.layout.FileFacts;
import dev.varve.layout.TableOrdering;
import java.util.List;
import java.util.Optional;

/** How files are divided into groups: for an order, or why not; and where none is asked for. */
sealed interface Arrangement {
  record Done(Division division) implements Arrangement {}

  record Refused(String reason) implements Arrangement {}

  /**
   * Consecutive files where none overlap; else ranges of the leading key, in which the overlapping
   * ones are merged; else groups without overlaps, for a merge above.
   */
  static Arrangement of(
      ScanSpec spec, List<FileFacts> files, TableOrdering ordering, String described) {
    int target = spec.settings().targetPartitions();
    Optional<KeyRanges> ranges = KeyRanges.of(spec.table(), ordering, files);
    Optional<Division> best =
        contiguous(spec, files, ordering, target).or(() -> ranges.flatMap(r -> r.balanced(target)));
    if (best.isPresent()) {
      return new Done(best.get());
    }
    return switch (FileGroups.ordered(
        files, ordering, target, FileGroups.Strategy.BEST_FIT, spec.table()::show, described)) {
      case FileGroups.Outcome.Grouped(List<FileGroup> groups) ->
          new Done(new Division(groups, Optional.of(ordering), Optional.empty()));
      case FileGroups.Outcome.Refused(String reason) ->
          ranges
              .flatMap(r -> r.cutAt(List.of()))
              .<Arrangement>map(Done::new)
              .orElse(new Refused(reason));
    };
  }

  /** In the first ordering that all files have without overlapping, or else as they come. */
  static Division divide(ScanSpec spec, List<FileFacts> files) {
    int target = spec.settings().targetPartitions();
    if (usesRanges(spec)) {
      for (TableOrdering ordering : OrderClaims.orderings(files, true)) {
        Optional<Division> contiguous = contiguous(spec, files, ordering, target);
        if (contiguous.isPresent()) {
          return contiguous.get();
        }
      }
    }
    return Division.of(FileGroups.cut(files, target));
  }

  static Optional<Division> contiguous(
      ScanSpec spec, List<FileFacts> files, TableOrdering ordering, int groups) {
    return FileGroups.ordered(
                files, ordering, groups, FileGroups.Strategy.CONTIGUOUS, FileFacts::path, "")
            instanceof FileGroups.Outcome.Grouped(List<FileGroup> made)
        ? Optional.of(arranged(spec, files, ordering, made))
        : Optional.empty();
  }

  /** Groups of consecutive files, with the values that cut them apart where there are such. */
  private static Division arranged(
      ScanSpec spec, List<FileFacts> files, TableOrdering ordering, List<FileGroup> groups) {
    Optional<Division.Cuts> cuts =
        groups.size() > 1
            ? KeyRanges.of(spec.table(), ordering, files).flatMap(ranges -> ranges.between(groups))
            : Optional.empty();
    return new Division(groups, Optional.of(ordering), cuts);
  }

  /** Whether the settings let facts divide files. */
  static boolean usesRanges(ScanSpec spec) {
    return spec.settings().optimizes(EngineSettings.ELIMINATE_SORTS)
        && spec.settings().optimizes(EngineSettings.SPLIT_FILE_GROUPS);
  }
}
