package dev.varve.catalog.table;

import dev.varve.catalog.index.CommitIndexer;
import dev.varve.catalog.index.IndexChange;
import dev.varve.catalog.index.IndexMismatch;
import dev.varve.catalog.index.IndexUpkeep;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.upkeep.UploadLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.BaseMetastoreTableOperations;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One table's metadata. A commit writes a metadata file, then swaps the pointer. The metadata file
 * is deleted again only when it is certain that no pointer stands on it. Confined to one thread, as
 * Iceberg's table operations are.
 */
final class JdbcTableOperations extends BaseMetastoreTableOperations {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcTableOperations.class);

  private final TableIdentifier table;
  private final TableStore store;
  private final CommitIndexer indexer;
  private final IndexUpkeep upkeep;
  private final Warehouse warehouse;
  private final FileIO io;
  private final MetadataCache metadata;

  /** The metadata file of the last commit made here. */
  private Optional<String> committed = Optional.empty();

  JdbcTableOperations(
      TableIdentifier table,
      TableStore store,
      CommitIndexer indexer,
      IndexUpkeep upkeep,
      Warehouse warehouse,
      FileIO io,
      MetadataCache metadata) {
    this.table = table;
    this.store = store;
    this.indexer = indexer;
    this.upkeep = upkeep;
    this.warehouse = warehouse;
    this.io = io;
    this.metadata = metadata;
  }

  @Override
  protected String tableName() {
    return table.toString();
  }

  @Override
  public FileIO io() {
    return io;
  }

  @Override
  protected void doRefresh() {
    Optional<String> location = location();
    if (location.isPresent()) {
      // A metadata file that a pointer stands on is there: waiting would not bring it.
      refreshFromMetadataLocation(
          location.get(),
          failure -> false,
          0,
          file -> metadata.get(file, l -> TableMetadataParser.read(io(), l)));
    } else if (currentMetadataLocation() != null) {
      throw new NoSuchTableException("Table does not exist: %s", table);
    } else {
      disableRefresh();
    }
  }

  /**
   * Where the pointer stands; after a commit of these operations and a database that went away,
   * where they left it. A request whose change is done must not fail as if it were not: its client
   * would make the change again.
   */
  private Optional<String> location() {
    try {
      return store.find(table).map(TableStore.Row::metadataLocation);
    } catch (VarveException e) {
      if (committed.isEmpty()) {
        throw e;
      }
      return committed;
    }
  }

  @Override
  protected void doCommit(@Nullable TableMetadata base, TableMetadata metadata) {
    Pending pending = prepare(base, metadata);
    CommitOutcome outcome;
    try {
      outcome = commit(pending);
    } catch (RuntimeException e) {
      pending.discard();
      throw e;
    }
    pending.finish(settle(List.of(pending), outcome));
  }

  /** Has the name stand for a table that another catalog wrote, whatever it stood for before. */
  void replace(TableMetadata registered) {
    Pending pending = prepare(null, registered);
    CommitOutcome outcome;
    try {
      outcome = store.replace(pending.swap(pending.index()));
    } catch (RuntimeException e) {
      pending.discard();
      throw e;
    }
    pending.finish(settle(List.of(pending), outcome));
  }

  /** Looks up what became of a commit over some tables when the database did not say. */
  CommitOutcome settle(List<Pending> together, CommitOutcome outcome) {
    if (!(outcome instanceof CommitOutcome.Unknown lost)) {
      return outcome;
    }
    boolean patient =
        together.stream()
            .allMatch(
                one ->
                    one.metadata.propertyAsInt(
                            TableProperties.COMMIT_NUM_STATUS_CHECKS,
                            TableProperties.COMMIT_NUM_STATUS_CHECKS_DEFAULT)
                        > 0);
    LostCommit commit =
        new LostCommit(
            store, location -> metadata.get(location, l -> TableMetadataParser.read(io(), l)));
    return commit.settle(
        together.stream().map(one -> Objects.requireNonNull(one.made)).toList(), lost, patient);
  }

  private CommitOutcome commit(Pending pending) {
    try {
      return store.commit(List.of(pending.swap(pending.index())));
    } catch (IndexMismatch e) {
      LOG.info("the index of {} starts anew: {}", table, e.getMessage());
      return store.commit(List.of(pending.swap(pending.rebuiltIndex())));
    }
  }

  /** Writes the metadata file and reads what the commit does to the index. */
  Pending prepare(@Nullable TableMetadata base, TableMetadata metadata) {
    warehouse.check(metadata);
    if (metadata.uuid() == null) {
      throw new ValidationException("Table %s has no uuid in its metadata", table);
    }
    OptionalLong tableId = base == null ? OptionalLong.empty() : store.tableId(table);
    Optional<String> from =
        base == null ? Optional.empty() : Optional.of(base.metadataFileLocation());
    // A registered table keeps the file that it was registered with: that one is not ours.
    String to = writeNewMetadataIfRequired(base == null, metadata);
    boolean ours = !to.equals(metadata.metadataFileLocation());
    return new Pending(tableId, base, metadata, from, to, ours);
  }

  /** A commit whose metadata file is written and whose pointer is not yet moved. */
  final class Pending {
    private final OptionalLong tableId;
    private final @Nullable TableMetadata base;
    private final TableMetadata metadata;
    private final Optional<String> from;
    private final String to;
    private final boolean ours;
    private @Nullable PointerSwap made;

    private Pending(
        OptionalLong tableId,
        @Nullable TableMetadata base,
        TableMetadata metadata,
        Optional<String> from,
        String to,
        boolean ours) {
      this.tableId = tableId;
      this.base = base;
      this.metadata = metadata;
      this.from = from;
      this.to = to;
      this.ours = ours;
    }

    IndexChange index() {
      return indexer.prepare(tableId, base, metadata, committed());
    }

    IndexChange rebuiltIndex() {
      return indexer.rebuild(tableId, base, metadata, committed());
    }

    private Table committed() {
      return new BaseTable(temp(metadata), tableName());
    }

    PointerSwap swap(IndexChange index) {
      PointerSwap swap = new PointerSwap(table, metadata.uuid(), from, to, index, uploads());
      made = swap;
      return swap;
    }

    /** Those that the new snapshots say they are made of. */
    private List<String> uploads() {
      List<String> uploads = new ArrayList<>();
      for (MetadataUpdate change : metadata.changes()) {
        if (change instanceof MetadataUpdate.AddSnapshot added
            && added.snapshot().summary() != null) {
          String upload = added.snapshot().summary().get(UploadLog.UPLOAD_ID);
          if (upload != null) {
            uploads.add(upload);
          }
        }
      }
      return uploads;
    }

    /** Deletes the metadata file, when the commit is certainly not done. */
    void discard() {
      if (!ours) {
        return;
      }
      try {
        io.deleteFile(to);
      } catch (RuntimeException e) {
        LOG.warn("metadata file {} of a commit that was not done is left behind", to, e);
      }
    }

    /** Reports the outcome in Iceberg's way and cleans up after it. */
    void finish(CommitOutcome outcome) {
      switch (outcome) {
        case CommitOutcome.Committed _ -> {
          committed = Optional.of(to);
          tableId.ifPresent(upkeep::request);
        }
        case CommitOutcome.Conflict(String reason) -> {
          discard();
          throw new CommitFailedException("Cannot commit: %s", reason);
        }
        case CommitOutcome.Unknown(RuntimeException cause) ->
            throw new CommitStateUnknownException(cause);
      }
    }
  }
}
