package dev.varve.service.home;

/**
 * How the layout index is kept.
 *
 * @param background whether snapshots are indexed and footers read at all; without it queries plan
 *     from manifests
 * @param checkBytesPerSecond how fast claimed orders are compared with rows in the background; 0
 *     leaves that to {@code CALL system.verify_order}
 */
public record IndexConfiguration(boolean background, long checkBytesPerSecond) {
  public static final IndexConfiguration DEFAULTS = new IndexConfiguration(true, 16L << 20);
}
