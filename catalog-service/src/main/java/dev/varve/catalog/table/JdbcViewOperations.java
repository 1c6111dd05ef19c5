package dev.varve.catalog.table;

import java.util.Optional;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NoSuchViewException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.view.BaseViewOperations;
import org.apache.iceberg.view.ViewMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One view's metadata. A commit writes a metadata file, then swaps the pointer. The metadata file
 * is deleted again only when it is certain that no pointer stands on it. Confined to one thread.
 */
final class JdbcViewOperations extends BaseViewOperations {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcViewOperations.class);

  private final TableIdentifier view;
  private final ViewStore store;
  private final Warehouse warehouse;
  private final FileIO io;

  JdbcViewOperations(TableIdentifier view, ViewStore store, Warehouse warehouse, FileIO io) {
    this.view = view;
    this.store = store;
    this.warehouse = warehouse;
    this.io = io;
  }

  @Override
  protected String viewName() {
    return view.toString();
  }

  @Override
  protected FileIO io() {
    return io;
  }

  @Override
  protected void doRefresh() {
    Optional<String> location = store.find(view);
    if (location.isPresent()) {
      // A metadata file that a pointer stands on is there: waiting would not bring it.
      refreshFromMetadataLocation(location.get(), failure -> false, 0);
    } else if (currentMetadataLocation() != null) {
      throw new NoSuchViewException("View does not exist: %s", view);
    } else {
      disableRefresh();
    }
  }

  @Override
  protected void doCommit(@Nullable ViewMetadata base, ViewMetadata metadata) {
    warehouse.check(metadata);
    String held = base == null ? null : base.metadataFileLocation();
    Optional<String> from = Optional.ofNullable(held);
    // A registered view keeps the file that it was registered with: that one is not ours.
    String to = writeNewMetadataIfRequired(metadata);
    boolean ours = !to.equals(metadata.metadataFileLocation());
    CommitOutcome outcome;
    try {
      outcome = store.commit(view, metadata.uuid(), from, to);
    } catch (RuntimeException e) {
      discard(to, ours);
      throw e;
    }
    switch (outcome) {
      case CommitOutcome.Committed _ -> {}
      case CommitOutcome.Conflict(String reason) -> {
        discard(to, ours);
        throw new CommitFailedException("Cannot commit: %s", reason);
      }
      case CommitOutcome.Unknown(RuntimeException cause) -> {
        CommitStatus status =
            checkCommitStatusStrict(
                viewName(),
                to,
                metadata.properties(),
                () -> store.find(view).filter(to::equals).isPresent());
        if (status != CommitStatus.SUCCESS) {
          throw new CommitStateUnknownException(cause);
        }
      }
    }
  }

  private void discard(String location, boolean ours) {
    if (!ours) {
      return;
    }
    try {
      io.deleteFile(location);
    } catch (RuntimeException e) {
      LOG.warn("metadata file {} of a commit that was not done is left behind", location, e);
    }
  }
}
