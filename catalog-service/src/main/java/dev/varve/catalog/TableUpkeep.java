package dev.varve.catalog;

import dev.varve.catalog.table.JdbcTableCatalog;
import dev.varve.catalog.upkeep.CatalogUpkeep;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.upkeep.LakeUpkeep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.iceberg.Table;

/** Finds the tables that are to be cleaned up. */
record TableUpkeep(JdbcTableCatalog catalog, CatalogUpkeep files) implements LakeUpkeep {
  @Override
  public Duration leastAge() {
    return files.leastAge();
  }

  @Override
  public List<Finding> expireSnapshots(
      String tableUuid,
      Optional<Instant> olderThan,
      OptionalInt retainLast,
      boolean dryRun,
      Runnable checkCanceled) {
    return files.expireSnapshots(table(tableUuid), olderThan, retainLast, dryRun, checkCanceled);
  }

  @Override
  public List<Finding> removeOrphanFiles(
      Optional<String> tableUuid, Instant olderThan, boolean dryRun, Runnable checkCanceled) {
    return files.removeOrphanFiles(tableUuid.map(this::table), olderThan, dryRun, checkCanceled);
  }

  private Table table(String uuid) {
    return catalog
        .withUuid(uuid)
        .orElseThrow(
            () ->
                new VarveException(
                    ErrorCode.UNDEFINED_TABLE, "the table with uuid " + uuid + " was dropped"));
  }
}
