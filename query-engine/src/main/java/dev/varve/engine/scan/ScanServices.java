package dev.varve.engine.scan;

import dev.varve.engine.parquet.BufferPool;
import dev.varve.engine.parquet.FooterCache;

/**
 * What all scans of a process share: parsed metadata of immutable files and scratch buffers. Safe
 * for concurrent use.
 */
public record ScanServices(FooterCache footers, BufferPool buffers) {

  /** Caches that hold at most about this many bytes each. */
  public static ScanServices create(long footerBytes, long bufferBytes) {
    return new ScanServices(new FooterCache(footerBytes), new BufferPool(bufferBytes));
  }

  public static ScanServices create() {
    return create(64L << 20, 128L << 20);
  }
}
