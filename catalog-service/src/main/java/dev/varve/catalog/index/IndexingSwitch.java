package dev.varve.catalog.index;

/**
 * Whether snapshots are indexed. While it is off, commits leave theirs out and nobody indexes them
 * later: queries plan from manifests. Safe for concurrent use.
 */
public final class IndexingSwitch {
  private volatile boolean on = true;

  public boolean isOn() {
    return on;
  }

  public void turn(boolean value) {
    on = value;
  }
}
