package dev.varve.catalog;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * @param name the catalog's name in messages and in Iceberg's table names
 * @param warehouse the location, local path or URI, under which new tables lie
 * @param roots more places below which tables may lie, and their files
 * @param leastAge of files and snapshots that maintenance may remove
 * @param factsCacheBytes memory for unpacked file facts
 */
public record CatalogSettings(
    String name, String warehouse, List<String> roots, Duration leastAge, long factsCacheBytes) {
  public static final Duration DEFAULT_LEAST_AGE = Duration.ofDays(1);

  private static final long MAX_DEFAULT_CACHE_BYTES = 256L << 20;

  public CatalogSettings {
    if (warehouse.isBlank()) {
      throw new IllegalArgumentException("a warehouse location is needed");
    }
    warehouse =
        warehouse.matches("^[A-Za-z][A-Za-z0-9+.-]*:.*")
            ? warehouse
            : Path.of(warehouse).toAbsolutePath().toString();
    roots = List.copyOf(roots);
    if (factsCacheBytes < 0) {
      throw new IllegalArgumentException("a cache of " + factsCacheBytes + " bytes");
    }
  }

  public CatalogSettings(String name, String warehouse, long factsCacheBytes) {
    this(name, warehouse, List.of(), DEFAULT_LEAST_AGE, factsCacheBytes);
  }

  /** The facts cache takes a twentieth of the heap, at most 256 MiB. */
  public CatalogSettings(String name, String warehouse, List<String> roots, Duration leastAge) {
    this(
        name,
        warehouse,
        roots,
        leastAge,
        Math.min(MAX_DEFAULT_CACHE_BYTES, Runtime.getRuntime().maxMemory() / 20));
  }

  public CatalogSettings(String name, String warehouse) {
    this(name, warehouse, List.of(), DEFAULT_LEAST_AGE);
  }
}
