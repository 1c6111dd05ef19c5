package dev.varve.service.storage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where files lie.
 *
 * @param warehouse where new tables lie; without it, in the home
 * @param roots more places for tables, {@code COPY} and {@code FROM 'path'}: real paths of
 *     directories, and {@code s3://bucket/prefix}
 * @param s3 how S3 is reached
 * @param leastAge of the files and snapshots that maintenance may remove
 */
public record StorageConfiguration(
    Optional<String> warehouse, List<String> roots, S3Settings s3, Duration leastAge) {
  public static final StorageConfiguration DEFAULTS =
      new StorageConfiguration(
          Optional.empty(), List.of(), S3Settings.DEFAULTS, Duration.ofDays(1));

  public StorageConfiguration {
    roots = List.copyOf(roots);
  }

  public StorageConfiguration withMoreRoots(List<String> more) {
    List<String> all = new ArrayList<>(roots);
    all.addAll(more);
    return new StorageConfiguration(warehouse, all, s3, leastAge);
  }
}
