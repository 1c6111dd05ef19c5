package dev.varve.engine.suite;

import dev.varve.engine.EngineBuilder;
import dev.varve.engine.QueryEngine;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.config.Settings;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.port.Principal;
import dev.varve.engine.port.SinkFactory;
import dev.varve.engine.port.SinkPlan;
import dev.varve.engine.runtime.CoreGate;
import dev.varve.engine.scan.ParquetFilesSource;
import dev.varve.engine.scan.ScanServices;
import dev.varve.engine.source.Connector;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.Field;
import dev.varve.layout.io.LocalFileIO;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An engine whose catalog is Parquet files: schema {@code main} of catalog {@code suite}. */
public final class SuiteEngine implements AutoCloseable {
  private final MemoryPool pool;
  private final QueryEngine engine;

  public SuiteEngine(ParquetTables data, Settings settings, MemoryPool pool) {
    ScanServices scan = ScanServices.create();
    this.pool = pool;
    this.engine =
        builder(settings, pool)
            .scanServices(scan)
            .connector("suite", new FilesConnector(data, scan))
            .startIn("suite", "main")
            .build();
  }

  private SuiteEngine(MemoryPool pool, QueryEngine engine) {
    this.pool = pool;
    this.engine = engine;
  }

  /** An engine without files, whose names are looked up in one of its own catalogs. */
  public static SuiteEngine startingIn(
      String catalog, String schema, Settings settings, MemoryPool pool) {
    return new SuiteEngine(pool, builder(settings, pool).startIn(catalog, schema).build());
  }

  private static EngineBuilder builder(Settings settings, MemoryPool pool) {
    return new EngineBuilder(new NoSinks(), (principal, accesses) -> {}, pool, CoreGate.open())
        .settings(settings);
  }

  /** All rows of a statement, as canonical text. */
  public List<List<String>> rows(String sql) {
    try (QueryHandle query = submit(sql)) {
      return Rows.of(query);
    }
  }

  /** A statement in a session of its own. */
  public QueryHandle submit(String sql) {
    return engine.openSession(new Principal("tester", Set.of())).submit(sql);
  }

  @Override
  public void close() {
    engine.close();
    if (pool.reserved() != 0) {
      throw new AssertionError("memory leaked: " + pool.report());
    }
  }

  private record FilesConnector(ParquetTables data, ScanServices scan) implements Connector {
    @Override
    public List<String> schemas() {
      return List.of("main");
    }

    @Override
    public List<String> tables(String schema) {
      return schema.equals("main") ? data.tables() : List.of();
    }

    @Override
    public Optional<SourceTable> table(String schema, String name) {
      return schema.equals("main") && data.tables().contains(name)
          ? Optional.of(ParquetFilesSource.open(data.pattern(name), new LocalFileIO(), scan))
          : Optional.empty();
    }
  }

  static final class NoSinks implements SinkFactory {
    @Override
    public Map<String, String> tableProperties(Map<String, String> options, List<Field> columns) {
      return options;
    }

    @Override
    public SinkPlan insert(InsertTarget target) {
      throw new IllegalStateException("the suite only reads");
    }

    @Override
    public SinkPlan copy(CopyTarget target) {
      throw new IllegalStateException("the suite only reads");
    }
  }
}
