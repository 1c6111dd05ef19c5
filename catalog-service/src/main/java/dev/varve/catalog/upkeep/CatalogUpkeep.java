package dev.varve.catalog.upkeep;

import dev.varve.catalog.store.Database;
import dev.varve.catalog.upkeep.JdbcUploadLog.Upload;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.upkeep.LakeUpkeep;
import dev.varve.layout.upkeep.LakeUpkeep.Finding;
import dev.varve.layout.upkeep.LakeUpkeep.Kind;
import dev.varve.layout.upkeep.LakeUpkeep.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.apache.iceberg.util.PropertyUtil;

/**
 * Expiry and orphans. What is to go is written down first, so that whoever is stopped on the way
 * leaves a note and not a leak; and before each removal every table of the catalog is asked, since
 * tables may share files. Safe for concurrent use.
 */
public final class CatalogUpkeep {
  private static final int UPLOADS = 100_000;

  /** A note whose commit has not come after so long: it never will. */
  private static final Duration ABANDONED = Duration.ofDays(1);

  private final Database database;
  private final FileIO io;
  private final JdbcUploadLog uploads;
  private final JdbcSnapshotPins pins;
  private final Discarded discarded;
  private final NamePrefixes prefixes = new NamePrefixes();
  private final Clock clock;
  private final Duration leastAge;

  public CatalogUpkeep(
      Database database,
      FileIO io,
      JdbcUploadLog uploads,
      JdbcSnapshotPins pins,
      Clock clock,
      Duration leastAge) {
    this.database = database;
    this.io = io;
    this.uploads = uploads;
    this.pins = pins;
    this.discarded = new Discarded(database, clock);
    this.clock = clock;
    this.leastAge = leastAge;
  }

  public Duration leastAge() {
    return leastAge;
  }

  private Instant checked(Instant olderThan) {
    Instant limit = clock.instant().minus(leastAge);
    if (olderThan.isAfter(limit)) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "older_than is "
              + olderThan
              + ", but only what is older than "
              + leastAge.toSeconds()
              + " seconds (before "
              + limit
              + ") may be removed",
          null,
          "maintenance.least-age-seconds in varve.properties sets the limit",
          null);
    }
    return olderThan;
  }

  /** As {@link LakeUpkeep} has it. */
  public List<Finding> expireSnapshots(
      Table table,
      Optional<Instant> olderThan,
      OptionalInt retainLast,
      boolean dryRun,
      Runnable checkCanceled) {
    olderThan.ifPresent(this::checked);
    table.refresh();
    TableMetadata before = ((HasTableOperations) table).operations().current();
    String uuid = before.uuid();
    FileRemoval removal = new FileRemoval(io, dryRun, checkCanceled);
    Set<Long> going;
    try {
      going = chosen(table, olderThan, retainLast);
    } catch (IllegalArgumentException | ValidationException e) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "snapshots of " + table.name() + " cannot be expired: " + e.getMessage(),
          e);
    }
    going.removeIf(id -> isYoung(before.snapshot(id)));
    Set<Long> inUse = new HashSet<>(pins.pinned(uuid));
    inUse.retainAll(going);
    inUse.forEach(id -> removal.note(Kind.SNAPSHOT, id.toString(), Outcome.IN_USE));
    going.removeAll(inUse);
    if (dryRun) {
      going.forEach(id -> removal.note(Kind.SNAPSHOT, id.toString(), Outcome.WOULD_BE_REMOVED));
      sweep(before, going, Map.of(uuid, going), removal, checkCanceled);
      return removal.findings();
    }
    if (!going.isEmpty()) {
      expire(table, before, going, removal);
    }
    cleanUp(removal, checkCanceled);
    return removal.findings();
  }

  /** What Iceberg would expire: by age and number for each branch, keeping what tags hold. */
  private static Set<Long> chosen(
      Table table, Optional<Instant> olderThan, OptionalInt retainLast) {
    ExpireSnapshots expiry = table.expireSnapshots();
    olderThan.ifPresent(time -> expiry.expireOlderThan(time.toEpochMilli()));
    retainLast.ifPresent(expiry::retainLast);
    Set<Long> ids = new LinkedHashSet<>();
    expiry.apply().forEach(snapshot -> ids.add(snapshot.snapshotId()));
    return ids;
  }

  private boolean isYoung(Snapshot snapshot) {
    return snapshot.timestampMillis() > clock.millis() - leastAge.toMillis();
  }

  private void expire(Table table, TableMetadata before, Set<Long> going, FileRemoval removal) {
    String uuid = before.uuid();
    Discarded.State note = discarded.add(uuid, before.metadataFileLocation(), false, going);
    // Pins that came between are seen now; later ones see the note and look the table up again.
    Set<Long> late = new HashSet<>(pins.pinned(uuid));
    late.retainAll(going);
    if (!late.isEmpty()) {
      discarded.unmark(uuid, late);
      late.forEach(id -> removal.note(Kind.SNAPSHOT, id.toString(), Outcome.IN_USE));
      going.removeAll(late);
    }
    if (going.isEmpty()) {
      discarded.done(note);
      return;
    }
    try {
      ExpireSnapshots expiry = table.expireSnapshots().cleanExpiredFiles(false).expireOlderThan(0);
      going.forEach(expiry::expireSnapshotId);
      expiry.commit();
    } catch (org.apache.iceberg.exceptions.CommitStateUnknownException e) {
      throw new VarveException(
          ErrorCode.COMMIT_STATE_UNKNOWN,
          "it is unknown whether the snapshots of " + table.name() + " were expired",
          null,
          "nothing was removed; the next call removes what no snapshot names",
          e);
    } catch (RuntimeException e) {
      discarded.unmark(uuid, going);
      discarded.done(note);
      throw e instanceof VarveException known
          ? known
          : new VarveException(
              ErrorCode.COMMIT_CONFLICT,
              "the snapshots of " + table.name() + " were not expired: " + e.getMessage(),
              null,
              "nothing was changed; run the statement again",
              e);
    }
    going.forEach(id -> removal.note(Kind.SNAPSHOT, id.toString(), Outcome.REMOVED));
  }

  /** Removes what the noted states alone name, as far as nobody reads it. */
  private void cleanUp(FileRemoval removal, Runnable checkCanceled) {
    for (Discarded.State state : discarded.all()) {
      checkCanceled.run();
      Optional<TableMetadata> metadata = read(state.metadataLocation());
      if (metadata.isEmpty()) {
        // All of it is gone, or a client took the metadata: what is left is found by listing.
        discarded.done(state);
        continue;
      }
      Set<Long> gone = gone(state, metadata.get());
      if (gone.isEmpty() && !state.dropped()) {
        // The commit that this is the note of may still come.
        if (state.sinceMillis() < clock.millis() - ABANDONED.toMillis()) {
          discarded.done(state);
        }
        continue;
      }
      Set<Long> pinned = new HashSet<>(pins.pinned(state.tableUuid()));
      pinned.retainAll(gone);
      if (!pinned.isEmpty()) {
        pinned.forEach(id -> removal.note(Kind.SNAPSHOT, id.toString(), Outcome.IN_USE));
        continue;
      }
      boolean complete = sweep(metadata.get(), gone, Map.of(), removal, checkCanceled);
      if (complete && state.dropped()) {
        complete = removeMetadata(metadata.get(), removal, checkCanceled);
      }
      if (complete) {
        discarded.done(state);
      }
    }
  }

  /** The newest one last: without it the others could not be found again. */
  private boolean removeMetadata(
      TableMetadata metadata, FileRemoval removal, Runnable checkCanceled) {
    Sweep older = newSweep(Map.of(), removal, checkCanceled);
    metadata.previousFiles().forEach(previous -> older.add(Kind.METADATA, previous.file()));
    if (!older.sweep()) {
      return false;
    }
    Sweep newest = newSweep(Map.of(), removal, checkCanceled);
    newest.add(Kind.METADATA, metadata.metadataFileLocation());
    return newest.sweep();
  }

  private Optional<TableMetadata> read(String location) {
    try {
      return Optional.of(org.apache.iceberg.TableMetadataParser.read(io, location));
    } catch (RuntimeException e) {
      if (SnapshotFileWalk.isGone(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** The snapshots of a state that its table does not have any more. */
  private Set<Long> gone(Discarded.State state, TableMetadata metadata) {
    Set<Long> gone = new HashSet<>();
    metadata.snapshots().forEach(snapshot -> gone.add(snapshot.snapshotId()));
    discarded
        .current(state.tableUuid())
        .flatMap(this::read)
        .ifPresent(now -> now.snapshots().forEach(snapshot -> gone.remove(snapshot.snapshotId())));
    return gone;
  }

  /** Removes what some snapshots of a table's state name, and no table does. */
  private boolean sweep(
      TableMetadata metadata,
      Set<Long> snapshots,
      Map<String, Set<Long>> without,
      FileRemoval removal,
      Runnable checkCanceled) {
    Sweep sweep = newSweep(without, removal, checkCanceled);
    boolean ownsFiles =
        PropertyUtil.propertyAsBoolean(
            metadata.properties(), TableProperties.GC_ENABLED, TableProperties.GC_ENABLED_DEFAULT);
    new SnapshotFileWalk(io, true, checkCanceled)
        .walk(
            metadata,
            snapshots,
            (kind, location) -> {
              boolean content = kind == Kind.DATA_FILE || kind == Kind.DELETE_FILE;
              if (ownsFiles || !content) {
                sweep.add(kind, location);
              }
            });
    return sweep.sweep();
  }

  /**
   * @param without snapshots that do not count, by table: a dry run looks as if they were gone
   */
  private Sweep newSweep(
      Map<String, Set<Long>> without, FileRemoval removal, Runnable checkCanceled) {
    return new Sweep(removal, candidates -> retain(candidates, without, checkCanceled));
  }

  private void retain(
      Map<String, ?> candidates, Map<String, Set<Long>> without, Runnable checkCanceled) {
    List<References.Kept> read = new ArrayList<>();
    for (Discarded.State state : discarded.all()) {
      Set<Long> pinned = pins.pinned(state.tableUuid());
      if (!pinned.isEmpty()) {
        read(state.metadataLocation())
            .ifPresent(metadata -> read.add(new References.Kept(metadata, pinned)));
      }
    }
    new References(database, io, prefixes, checkCanceled).retain(candidates, read, without);
  }

  /** As {@link LakeUpkeep} has it. */
  public List<Finding> removeOrphanFiles(
      Optional<Table> table, Instant olderThan, boolean dryRun, Runnable checkCanceled) {
    Instant limit = checked(olderThan);
    FileRemoval removal = new FileRemoval(io, dryRun, checkCanceled);
    if (!dryRun) {
      cleanUp(removal, checkCanceled);
    }
    removeUploads(limit, removal, dryRun, checkCanceled);
    if (table.isPresent()) {
      removeListed(table.get(), limit, removal, checkCanceled);
    }
    return removal.findings();
  }

  private void removeUploads(
      Instant limit, FileRemoval removal, boolean dryRun, Runnable checkCanceled) {
    long after = -1;
    while (true) {
      List<Upload> page = uploads.before(limit.toEpochMilli(), after, UPLOADS);
      if (page.isEmpty()) {
        return;
      }
      after = page.getLast().rowId();
      Map<String, String> candidates = new LinkedHashMap<>();
      Map<String, List<Long>> rows = new HashMap<>();
      for (Upload upload : page) {
        if (uploads.isActive(upload)) {
          removal.count(Kind.UPLOAD, Outcome.IN_USE, 1);
          continue;
        }
        String name = FileNames.of(upload.location());
        candidates.put(name, upload.location());
        rows.computeIfAbsent(name, n -> new ArrayList<>()).add(upload.rowId());
      }
      retain(candidates, Map.of(), checkCanceled);
      List<String> locations =
          candidates.values().stream()
              .filter(location -> !dryRun || io.newInputFile(location).exists())
              .toList();
      Set<String> left = new HashSet<>();
      removal.remove(Kind.UPLOAD, locations, location -> left.add(FileNames.of(location)));
      if (!dryRun) {
        // Also of those that a table has: their commit was done after all.
        List<Long> settled = new ArrayList<>();
        rows.forEach((name, ids) -> settled.addAll(left.contains(name) ? List.of() : ids));
        uploads.forgetRows(settled);
      }
    }
  }

  private void removeListed(
      Table table, Instant limit, FileRemoval removal, Runnable checkCanceled) {
    if (!(io instanceof SupportsPrefixOperations listing)) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED, "the store of " + table.name() + " lists no files");
    }
    Set<String> active = new HashSet<>();
    long after = -1;
    while (true) {
      List<Upload> page = uploads.before(Long.MAX_VALUE, after, UPLOADS);
      if (page.isEmpty()) {
        break;
      }
      after = page.getLast().rowId();
      page.stream()
          .filter(uploads::isActive)
          .forEach(upload -> active.add(FileNames.of(upload.location())));
    }
    Sweep sweep = newSweep(Map.of(), removal, checkCanceled);
    for (String folder : folders(table)) {
      for (FileInfo file : listing.listPrefix(folder + "/")) {
        // A writer may be at work for longer than the limit: what it wrote has no table yet.
        if (file.createdAtMillis() < limit.toEpochMilli()
            && !active.contains(FileNames.of(file.location()))) {
          sweep.add(Kind.UNKNOWN_FILE, file.location());
        }
      }
    }
    sweep.sweep();
  }

  /** The table's folder, and those that its properties name. */
  private static Set<String> folders(Table table) {
    Set<String> folders = new LinkedHashSet<>();
    folders.add(stripped(table.location()));
    for (String property :
        List.of(
            TableProperties.WRITE_DATA_LOCATION,
            TableProperties.WRITE_METADATA_LOCATION,
            "write.folder-storage.path",
            "write.object-storage.path")) {
      String folder = table.properties().get(property);
      if (folder != null && !stripped(folder).startsWith(stripped(table.location()) + "/")) {
        folders.add(stripped(folder));
      }
    }
    return folders;
  }

  private static String stripped(String location) {
    return location.endsWith("/") ? location.substring(0, location.length() - 1) : location;
  }

  /** Notes, in the transaction that drops a table, that its files are to go. */
  public void dropped(dev.varve.catalog.store.Sql sql, TableMetadata last)
      throws java.sql.SQLException {
    discarded.insert(sql, last.uuid(), last.metadataFileLocation(), true);
    List<Long> snapshots = new ArrayList<>();
    last.snapshots().forEach(snapshot -> snapshots.add(snapshot.snapshotId()));
    discarded.mark(sql, last.uuid(), snapshots);
  }

  /** Removes what was noted; a failure leaves the note for the next time. */
  public void cleanUp() {
    cleanUp(new FileRemoval(io, false, () -> {}), () -> {});
  }
}
