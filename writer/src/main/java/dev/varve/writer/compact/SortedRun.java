package dev.varve.writer.compact;

import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import java.util.Comparator;

/** A file that is verified to be in the table's order, and where its keys lie. */
record SortedRun(FileFacts file, KeyRange range) {
  static final Comparator<SortedRun> BY_KEY =
      Comparator.comparing((SortedRun run) -> run.range().lower())
          .thenComparing(run -> run.range().upper())
          .thenComparing(run -> run.file().path());
}
