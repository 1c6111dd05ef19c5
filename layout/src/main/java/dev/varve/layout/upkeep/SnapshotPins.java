package dev.varve.layout.upkeep;

import java.util.Optional;

/**
 * Snapshots that running statements read: their files stay until the statements end. Safe for
 * concurrent use.
 */
public interface SnapshotPins {

  /** Holds one snapshot until it is closed; closing never throws. */
  interface Pin extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Empty if the snapshot is being removed: the caller looks the table up again, which by now, or
   * in a moment, has another one.
   */
  Optional<Pin> pin(String tableUuid, long snapshotId);

  /** Where nothing is ever removed. */
  static SnapshotPins none() {
    return (tableUuid, snapshotId) -> Optional.of(() -> {});
  }
}
