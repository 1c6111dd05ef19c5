package dev.varve.catalog;

/**
 * @param name the catalog's name in messages and in Iceberg's table names
 * @param warehouse the location, local path or URI, under which all tables lie
 * @param factsCacheBytes memory for unpacked file facts
 */
public record CatalogSettings(String name, String warehouse, long factsCacheBytes) {
  private static final long MAX_DEFAULT_CACHE_BYTES = 256L << 20;

  public CatalogSettings {
    if (warehouse.isBlank()) {
      throw new IllegalArgumentException("a warehouse location is needed");
    }
    if (factsCacheBytes < 0) {
      throw new IllegalArgumentException("a cache of " + factsCacheBytes + " bytes");
    }
  }

  /** The facts cache takes a twentieth of the heap, at most 256 MiB. */
  public CatalogSettings(String name, String warehouse) {
    this(name, warehouse, Math.min(MAX_DEFAULT_CACHE_BYTES, Runtime.getRuntime().maxMemory() / 20));
  }
}
