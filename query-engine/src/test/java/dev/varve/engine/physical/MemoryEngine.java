package dev.varve.engine.physical;

import dev.varve.engine.EngineBuilder;
import dev.varve.engine.QueryEngine;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.port.Principal;
import dev.varve.engine.port.SinkFactory;
import dev.varve.engine.runtime.CoreGate;
import dev.varve.engine.source.Connector;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.suite.Rows;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An engine over tables in memory, which checks at run time the orders that its plans declare. */
final class MemoryEngine implements AutoCloseable {
  private final QueryEngine engine;

  private MemoryEngine(Map<String, SourceTable> tables, Settings settings) {
    SinkFactory noSinks =
        (SinkFactory)
            Proxy.newProxyInstance(
                SinkFactory.class.getClassLoader(),
                new Class<?>[] {SinkFactory.class},
                (proxy, method, arguments) -> {
                  throw new IllegalStateException("this engine only reads");
                });
    this.engine =
        new EngineBuilder(
                noSinks, (principal, accesses) -> {}, MemoryPools.greedy(1L << 28), CoreGate.open())
            .connector("memory", new Tables(tables))
            .startIn("memory", "main")
            .settings(settings.with(EngineSettings.CHECK_ORDER, true))
            .build();
  }

  /** Everything on, three partitions. */
  static MemoryEngine optimised(Map<String, SourceTable> tables) {
    return new MemoryEngine(tables, Settings.DEFAULTS.with(EngineSettings.TARGET_PARTITIONS, 3));
  }

  /** Everything off, one partition. */
  static MemoryEngine plain(Map<String, SourceTable> tables) {
    return new MemoryEngine(
        tables,
        Settings.DEFAULTS
            .with(EngineSettings.TARGET_PARTITIONS, 1)
            .with(EngineSettings.OPTIMIZER, false));
  }

  List<List<String>> rows(String sql) {
    Session session = engine.openSession(new Principal("tester", Set.of()));
    try (QueryHandle query = session.submit(sql)) {
      return Rows.of(query);
    }
  }

  String explain(String sql) {
    return String.join("\n", rows("EXPLAIN " + sql).stream().map(row -> row.get(0)).toList());
  }

  @Override
  public void close() {
    engine.close();
  }

  private record Tables(Map<String, SourceTable> tables) implements Connector {
    @Override
    public List<String> schemas() {
      return List.of("main");
    }

    @Override
    public List<String> tables(String schema) {
      return List.copyOf(tables.keySet());
    }

    @Override
    public Optional<SourceTable> table(String schema, String name) {
      return Optional.ofNullable(tables.get(name));
    }
  }
}
