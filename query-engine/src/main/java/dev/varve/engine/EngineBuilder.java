package dev.varve.engine;

import dev.varve.engine.config.Settings;
import dev.varve.engine.connector.CatalogSet;
import dev.varve.engine.connector.PlanCacheView;
import dev.varve.engine.connector.QueryRegistry;
import dev.varve.engine.connector.lake.LakeConnector;
import dev.varve.engine.connector.system.SystemConnector;
import dev.varve.engine.connector.tpch.TpchConnector;
import dev.varve.engine.function.FunctionRegistry;
import dev.varve.engine.function.VarveOperatorTable;
import dev.varve.engine.logical.LogicalPlanner;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.optimizer.PhysicalOptimizer;
import dev.varve.engine.physical.EngineRexExecutor;
import dev.varve.engine.physical.PhysicalPlanner;
import dev.varve.engine.physical.RexTranslator;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.Procedure;
import dev.varve.engine.port.SinkFactory;
import dev.varve.engine.runtime.CoreGate;
import dev.varve.engine.scan.ScanServices;
import dev.varve.engine.source.Connector;
import dev.varve.engine.spill.SpillSpace;
import dev.varve.engine.sql.SqlFrontEnd;
import dev.varve.engine.statement.PlanCache;
import dev.varve.engine.statement.SessionState;
import dev.varve.engine.statement.StatementPlanner;
import dev.varve.engine.statement.StatementServices;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.layout.upkeep.SnapshotPins;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;

/**
 * Puts an engine together: catalogs {@code lake} (if one is given), {@code tpch} and {@code
 * system}, and what the writer and the service bring. Confined to one thread.
 */
public final class EngineBuilder {
  private final SinkFactory sinks;
  private final AccessControl accessControl;
  private final MemoryPool pool;
  private final CoreGate gate;
  private final Map<String, Connector> connectors = new LinkedHashMap<>();
  private final Map<String, LakeConnector> lakes = new LinkedHashMap<>();
  private final Map<String, Procedure> procedures = new HashMap<>();
  private ScanServices scan = ScanServices.create();
  private FileIO fileIo = new LocalFileIO();
  private SnapshotPins pins = SnapshotPins.none();
  private LayoutIndex layoutIndex = LayoutIndex.none();
  private Settings settings = Settings.DEFAULTS;
  private Clock clock = Clock.systemUTC();
  private @Nullable SpillSpace spill;
  private String initialCatalog = "lake";
  private String initialSchema = "default";

  public EngineBuilder(
      SinkFactory sinks, AccessControl accessControl, MemoryPool pool, CoreGate gate) {
    this.sinks = sinks;
    this.accessControl = accessControl;
    this.pool = pool;
    this.gate = gate;
  }

  /** Adds an Iceberg catalog; its index serves the procedures too. */
  public <C extends Catalog & SupportsNamespaces> EngineBuilder lake(
      String name, C catalog, LayoutIndex index) {
    LakeConnector lake = new LakeConnector(name, catalog, index, scan, sinks);
    lakes.put(name, lake);
    connectors.put(name, lake);
    layoutIndex = index;
    return this;
  }

  public EngineBuilder connector(String name, Connector connector) {
    connectors.put(name, connector);
    return this;
  }

  public EngineBuilder procedure(Procedure procedure) {
    procedures.put(procedure.name(), procedure);
    return this;
  }

  /** Where sessions start; {@code lake.default} unless said. */
  public EngineBuilder startIn(String catalog, String schema) {
    initialCatalog = catalog;
    initialSchema = schema;
    return this;
  }

  /** The defaults of sessions. */
  public EngineBuilder settings(Settings defaults) {
    settings = defaults;
    return this;
  }

  /** Where statements say which snapshots they read. */
  public EngineBuilder pins(SnapshotPins snapshotPins) {
    pins = snapshotPins;
    return this;
  }

  /** How files outside tables are read and written. */
  public EngineBuilder fileIo(FileIO io) {
    fileIo = io;
    return this;
  }

  /** Caches shared with other engines; before {@link #lake}. */
  public EngineBuilder scanServices(ScanServices services) {
    scan = services;
    return this;
  }

  public EngineBuilder clock(Clock source) {
    clock = source;
    return this;
  }

  /**
   * Where queries put what does not fit into their memory; the engine closes it. Without one it
   * makes a folder of its own under the system's folder for temporary files.
   */
  public EngineBuilder spill(SpillSpace space) {
    spill = space;
    return this;
  }

  private static PlanCacheView planCache(PlanCache cache) {
    return new PlanCacheView() {
      @Override
      public Totals totals() {
        PlanCache.Statistics s = cache.statistics();
        return new Totals(
            s.hits(), s.misses(), s.invalidations(), s.evictions(), s.entries(), s.bytes());
      }

      @Override
      public List<Plan> plans() {
        return cache.entries().stream()
            .map(e -> new Plan(e.query(), e.catalog(), e.schema(), e.hits(), e.bytes()))
            .toList();
      }
    };
  }

  public QueryEngine build() {
    SpillSpace space = spill;
    QueryRegistry registry = new QueryRegistry();
    Map<String, Connector> all = new LinkedHashMap<>(connectors);
    all.put("tpch", new TpchConnector());
    PlanCache planCache = new PlanCache();
    all.put("system", new SystemConnector(registry, planCache(planCache), lakes));
    FunctionRegistry functions = FunctionRegistry.standard();
    VarveOperatorTable operators = new VarveOperatorTable(functions);
    RexTranslator translator = new RexTranslator(functions, List.of());
    StatementServices services =
        new StatementServices(
            new SqlFrontEnd(),
            new LogicalPlanner(operators, new EngineRexExecutor(translator)),
            new PhysicalPlanner(),
            translator,
            new PhysicalOptimizer(),
            planCache,
            new CatalogSet(all),
            lakes,
            operators.names(),
            procedures,
            sinks,
            accessControl,
            layoutIndex,
            pins,
            fileIo,
            scan);
    return new LocalQueryEngine(
        new StatementPlanner(services, settings),
        registry,
        pool,
        gate,
        space == null ? SpillSpace.temporary() : space,
        new SessionState(initialCatalog, initialSchema, settings),
        clock);
  }
}
