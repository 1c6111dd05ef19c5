package dev.varve.engine.suite;

import dev.varve.engine.EngineBuilder;
import dev.varve.engine.QueryEngine;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
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

/** An engine whose catalog is the suite's files: schema {@code main} of catalog {@code suite}. */
public final class SuiteEngine implements AutoCloseable {
  private final MemoryPool pool;
  private final QueryEngine engine;

  public SuiteEngine(SuiteData data, Settings settings, MemoryPool pool) {
    this.pool = pool;
    ScanServices scan = ScanServices.create();
    this.engine =
        new EngineBuilder(new NoSinks(), (principal, accesses) -> {}, pool, CoreGate.open())
            .scanServices(scan)
            .connector("suite", new FilesConnector(data, scan))
            .startIn("suite", "main")
            .settings(settings)
            .build();
  }

  /** All rows of a statement, as canonical text. */
  public List<List<String>> rows(String sql) {
    Session session = engine.openSession(new Principal("tester", Set.of()));
    try (QueryHandle query = session.submit(sql)) {
      return Rows.of(query);
    }
  }

  @Override
  public void close() {
    engine.close();
    if (pool.reserved() != 0) {
      throw new AssertionError("memory leaked: " + pool.report());
    }
  }

  private record FilesConnector(SuiteData data, ScanServices scan) implements Connector {
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

  private static final class NoSinks implements SinkFactory {
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
