package dev.varve.layout;

import java.util.List;

/**
 * What a planner needs of a snapshot before it knows which files it wants: exact totals over all
 * data files, and files taken evenly from all of them, to estimate from. {@code sample} holds all
 * files when they are few.
 */
public record TableSummary(
    long snapshotId, long files, long rows, long bytes, List<FileFacts> sample) {
  public TableSummary {
    sample = List.copyOf(sample);
    if (sample.size() > files) {
      throw new IllegalArgumentException("a sample of " + sample.size() + " of " + files);
    }
  }

  /** Whether the sample is every file. */
  public boolean isWhole() {
    return sample.size() == files;
  }
}
