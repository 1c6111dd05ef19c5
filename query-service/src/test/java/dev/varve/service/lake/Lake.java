package dev.varve.service.lake;

import dev.varve.catalog.CatalogSettings;
import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.background.BackgroundIndexer;
import dev.varve.catalog.store.EmbeddedDatabase;
import dev.varve.engine.EngineBuilder;
import dev.varve.engine.QueryEngine;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.config.Settings;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.Principal;
import dev.varve.engine.runtime.FairCoreGate;
import dev.varve.engine.scan.TableFooters;
import dev.varve.engine.suite.Rows;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.service.check.OrderChecks;
import dev.varve.writer.WriterSinkFactory;
import dev.varve.writer.analyze.AnalyzeProcedure;
import dev.varve.writer.compact.CompactProcedure;
import dev.varve.writer.maintain.ExpireSnapshotsProcedure;
import dev.varve.writer.maintain.RemoveOrphanFilesProcedure;
import dev.varve.writer.verify.VerifyOrderProcedure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Catalog, engine and writer in this process, over a database and a warehouse in one folder.
 * Confined to one test.
 */
final class Lake implements AutoCloseable {
  private final Path warehouse;
  private final EmbeddedDatabase database;
  private final LakeCatalog catalog;
  private final ForgetfulIndex index;
  private final MemoryPool pool = MemoryPools.fairSpill(1L << 30);
  private final QueryEngine engine;
  private final Session session;

  private Lake(Path folder, Settings settings, AccessControl access) {
    this.warehouse = folder.resolve("warehouse");
    this.database = EmbeddedDatabase.open(folder.resolve("catalog/catalog"));
    LocalFileIO io = new LocalFileIO();
    this.catalog =
        LakeCatalog.open(
            database.dataSource(),
            new CatalogSettings("lake", warehouse.toString(), List.of(), Duration.ZERO),
            io);
    this.index = new ForgetfulIndex(catalog.layoutIndex());
    this.engine =
        new EngineBuilder(
                new WriterSinkFactory(index, catalog.uploads()),
                access,
                pool,
                new FairCoreGate(Runtime.getRuntime().availableProcessors()))
            .lake("lake", catalog.catalog(), index)
            .procedure(new AnalyzeProcedure())
            .procedure(new CompactProcedure(catalog.uploads()))
            .procedure(new ExpireSnapshotsProcedure(catalog.upkeep(), Clock.systemUTC()))
            .procedure(new RemoveOrphanFilesProcedure(catalog.upkeep(), Clock.systemUTC(), "lake"))
            .pins(catalog.pins())
            .procedure(new VerifyOrderProcedure())
            .settings(settings)
            .build();
    this.session = newSession();
  }

  static Lake open(Path folder) {
    return open(folder, Settings.DEFAULTS);
  }

  static Lake open(Path folder, Settings settings) {
    return new Lake(folder, settings, (principal, accesses) -> {});
  }

  static Lake open(Path folder, AccessControl access) {
    return new Lake(folder, Settings.DEFAULTS, access);
  }

  Session newSession() {
    return engine.openSession(new Principal("tester", Set.of()));
  }

  ForgetfulIndex index() {
    return index;
  }

  /** Who indexes in the background, not started: a test gives it turns. */
  BackgroundIndexer backgroundIndexer() {
    return catalog.backgroundIndexer(Optional.of(TableFooters::read), Duration.ofSeconds(1));
  }

  /** Who checks orders in the background, not started. */
  OrderChecks orderChecks() {
    return new OrderChecks(
        engine,
        new Principal("checker", Set.of()),
        "lake",
        catalog.catalog(),
        index,
        1L << 40,
        Duration.ofSeconds(1));
  }

  /** Runs a statement to its end. */
  void run(String sql) {
    rows(sql);
  }

  void set(String name, String value) {
    run("SET " + name + " = '" + value + "'");
  }

  List<List<String>> rows(String sql) {
    return rows(session, sql);
  }

  static List<List<String>> rows(Session session, String sql) {
    try (QueryHandle query = session.submit(sql)) {
      return Rows.of(query);
    }
  }

  /** The most memory that a statement had reserved at once. */
  long peakBytes(String sql) {
    try (QueryHandle query = session.submit(sql)) {
      Rows.of(query);
      return query.progress().memoryPeakBytes();
    }
  }

  String explain(String sql) {
    return text("EXPLAIN " + sql);
  }

  String analyze(String sql) {
    return text("EXPLAIN ANALYZE " + sql);
  }

  private String text(String sql) {
    return rows(sql).stream().map(row -> row.get(0)).collect(Collectors.joining("\n"));
  }

  Table table(String name) {
    return catalog.catalog().loadTable(TableIdentifier.of("s", name));
  }

  /** What the index knows of a table's files now, in order of their paths' commits. */
  List<FileFacts> files(String name) {
    Table table = table(name);
    LayoutAnswer answer =
        catalog
            .layoutIndex()
            .plan(
                new LayoutQuery(
                    table.uuid().toString(),
                    table.currentSnapshot().snapshotId(),
                    List.of(),
                    Optional.empty()));
    if (!(answer instanceof LayoutAnswer.Complete complete)) {
      throw new AssertionError("not indexed: " + answer);
    }
    return complete.files();
  }

  List<Path> dataFilesOnDisk() {
    try (Stream<Path> files = Files.walk(warehouse)) {
      return files.filter(f -> f.toString().endsWith(".parquet")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Comparator<List<String>> byFirstNumber() {
    return Comparator.comparingLong(row -> Long.parseLong(row.get(0)));
  }

  @Override
  public void close() {
    engine.close();
    catalog.close();
    database.close();
    if (pool.reserved() != 0) {
      throw new AssertionError("memory leaked: " + pool.report());
    }
  }
}
