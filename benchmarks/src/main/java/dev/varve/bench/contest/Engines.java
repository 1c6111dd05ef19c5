package dev.varve.bench.contest;

import dev.varve.engine.EngineBuilder;
import dev.varve.engine.QueryEngine;
import dev.varve.engine.config.Settings;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.port.SinkFactory;
import dev.varve.engine.runtime.FairCoreGate;
import dev.varve.engine.scan.ScanServices;
import dev.varve.layout.LayoutIndex;
import dev.varve.writer.WriterSinkFactory;
import java.util.Map;

/** Engines put together as the service does it. */
public final class Engines {
  /** Of the heap, what queries may reserve. */
  private static final double POOL_SHARE = 0.6;

  private Engines() {}

  /**
   * @param tables the Parquet files of each table of the schema in which sessions start
   */
  public static QueryEngine overFiles(Map<String, String> tables, int cores, Settings settings) {
    ScanServices scan = ScanServices.create();
    return builder(new WriterSinkFactory(LayoutIndex.none()), cores)
        .scanServices(scan)
        .connector("files", new FileTables(tables, scan))
        .startIn("files", FileTables.SCHEMA)
        .settings(settings)
        .build();
  }

  /** Tables are read and written as {@code sinks} does it. */
  public static EngineBuilder builder(SinkFactory sinks, int cores) {
    return new EngineBuilder(
        sinks,
        (principal, accesses) -> {},
        MemoryPools.greedy((long) (Runtime.getRuntime().maxMemory() * POOL_SHARE)),
        new FairCoreGate(cores));
  }
}
