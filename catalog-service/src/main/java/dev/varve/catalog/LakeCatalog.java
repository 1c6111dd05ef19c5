package dev.varve.catalog;

import dev.varve.catalog.background.BackgroundIndexer;
import dev.varve.catalog.background.FooterReader;
import dev.varve.catalog.index.IndexUpkeep;
import dev.varve.catalog.index.IndexingSwitch;
import dev.varve.catalog.index.JdbcLayoutIndex;
import dev.varve.catalog.index.ScanIndex;
import dev.varve.catalog.scan.PlanStore;
import dev.varve.catalog.scan.ScanPlanner;
import dev.varve.catalog.scan.ScanPlans;
import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Migrations;
import dev.varve.catalog.table.JdbcTableCatalog;
import dev.varve.catalog.table.RequestKeys;
import dev.varve.catalog.upkeep.CatalogUpkeep;
import dev.varve.catalog.upkeep.JdbcSnapshotPins;
import dev.varve.catalog.upkeep.JdbcUploadLog;
import dev.varve.catalog.upkeep.LiveProcess;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.io.ConfinedFileIO;
import dev.varve.layout.io.FileRoots;
import dev.varve.layout.upkeep.LakeUpkeep;
import dev.varve.layout.upkeep.SnapshotPins;
import dev.varve.layout.upkeep.UploadLog;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.apache.iceberg.io.FileIO;

/**
 * The catalog of one lake, put together: Iceberg's tables and namespaces, and the layout index that
 * every commit keeps. The data source and the FileIO belong to the caller; who closes the data
 * source closes the catalog before it. Safe for concurrent use.
 */
public final class LakeCatalog implements AutoCloseable {
  private final JdbcTableCatalog catalog;
  private final JdbcLayoutIndex layoutIndex;

  private final FileUpkeep files;

  /** What finds and keeps files. */
  private record FileUpkeep(
      LiveProcess process, JdbcUploadLog uploads, JdbcSnapshotPins pins, CatalogUpkeep catalog) {}

  private final RequestKeys requestKeys;
  private final ScanPlanner scanPlanner;
  private final PlanStore planStore;
  private final Database database;
  private final IndexingSwitch indexing;
  private final Clock clock;
  private final IndexUpkeep indexUpkeep;

  private LakeCatalog(
      JdbcTableCatalog catalog,
      JdbcLayoutIndex layoutIndex,
      Database database,
      IndexingSwitch indexing,
      Clock clock,
      IndexUpkeep upkeep,
      FileUpkeep files) {
    this.files = files;
    this.requestKeys = new RequestKeys(database);
    this.scanPlanner = new ScanPlanner(new ScanIndex(database, layoutIndex));
    this.planStore = new PlanStore(database, clock);
    this.indexUpkeep = upkeep;
    this.catalog = catalog;
    this.layoutIndex = layoutIndex;
    this.database = database;
    this.indexing = indexing;
    this.clock = clock;
  }

  /** Brings the database's tables to this version and opens the catalog over them. */
  public static LakeCatalog open(DataSource dataSource, CatalogSettings settings, FileIO io) {
    return open(dataSource, settings, io, Clock.systemUTC());
  }

  public static LakeCatalog open(
      DataSource dataSource, CatalogSettings settings, FileIO io, Clock clock) {
    Migrations.run(dataSource);
    Database database = new Database(dataSource);
    IndexUpkeep upkeep = new IndexUpkeep(database);
    List<String> places = new ArrayList<>(settings.roots());
    places.addFirst(settings.warehouse());
    FileRoots roots = FileRoots.of(places);
    IndexingSwitch indexing = new IndexingSwitch();
    FileIO confined = new ConfinedFileIO(io, roots);
    LiveProcess process = new LiveProcess(database, clock);
    JdbcUploadLog uploads = new JdbcUploadLog(database, process, clock);
    JdbcSnapshotPins pins = new JdbcSnapshotPins(database, database.isShared(), process, clock);
    CatalogUpkeep fileUpkeep =
        new CatalogUpkeep(database, confined, uploads, pins, clock, settings.leastAge());
    return new LakeCatalog(
        new JdbcTableCatalog(
            settings.name(),
            database,
            settings.warehouse(),
            roots,
            confined,
            upkeep,
            indexing,
            fileUpkeep),
        new JdbcLayoutIndex(database, clock, settings.factsCacheBytes()),
        database,
        indexing,
        clock,
        upkeep,
        new FileUpkeep(process, uploads, pins, fileUpkeep));
  }

  /** Iceberg's catalog; it also is a SupportsNamespaces. */
  public JdbcTableCatalog catalog() {
    return catalog;
  }

  /** The request keys of changes that are done. */
  public RequestKeys requestKeys() {
    return requestKeys;
  }

  /**
   * Plans scans for other engines.
   *
   * @param pageFiles how many files are in one answer
   * @param onPlanned is told of each plan that is made
   */
  public ScanPlans scanPlans(int pageFiles, Consumer<ScanPlanner.Source> onPlanned) {
    return new ScanPlans(scanPlanner, planStore, pageFiles, onPlanned);
  }

  public LayoutIndex layoutIndex() {
    return layoutIndex;
  }

  /**
   * Who indexes what commits leave out, not yet started; the caller closes it before the data
   * source.
   *
   * @param footers none to leave footers unread
   * @param pollEvery how long to wait when there is nothing to do
   */
  public BackgroundIndexer backgroundIndexer(Optional<FooterReader> footers, Duration pollEvery) {
    return BackgroundIndexer.create(
        database, clock, indexing, catalog::tableAt, footers, pollEvery);
  }

  /** The background work on the layout index. */
  public IndexUpkeep indexUpkeep() {
    return indexUpkeep;
  }

  /** Where writers say what they are about to write. */
  public UploadLog uploads() {
    return files.uploads();
  }

  /** Where readers say what they read. */
  public SnapshotPins pins() {
    return files.pins();
  }

  public LakeUpkeep upkeep() {
    return new TableUpkeep(catalog, files.catalog());
  }

  /** Ends the background work; this process reads and writes no more. */
  @Override
  public void close() {
    indexUpkeep.close();
    files.process().close();
  }
}
