package dev.varve.service.process;

import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.background.FooterReader;
import dev.varve.catalog.table.JdbcTableCatalog;
import dev.varve.engine.EngineBuilder;
import dev.varve.engine.QueryEngine;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.Principal;
import dev.varve.engine.runtime.FairCoreGate;
import dev.varve.engine.scan.TableFooters;
import dev.varve.engine.spill.SpillSpace;
import dev.varve.layout.LayoutIndex;
import dev.varve.service.check.OrderChecks;
import dev.varve.service.home.Home;
import dev.varve.service.home.IndexConfiguration;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.security.Principals;
import dev.varve.writer.WriterSinkFactory;
import dev.varve.writer.analyze.AnalyzeProcedure;
import dev.varve.writer.compact.CompactProcedure;
import dev.varve.writer.maintain.ExpireSnapshotsProcedure;
import dev.varve.writer.maintain.RemoveOrphanFilesProcedure;
import dev.varve.writer.verify.VerifyOrderProcedure;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.io.FileIO;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The engine over this process's catalog, with the writer behind its ports. */
@Configuration(proxyBeanMethods = false)
class EngineConfiguration {
  private static final String CATALOG = "lake";
  private static final String FIRST_SCHEMA = "default";

  private static final Duration CHECK_EVERY = Duration.ofSeconds(10);

  /** Of the heap, what queries may reserve: the rest is for what is not worth reserving. */
  private static final double POOL_SHARE = 0.6;

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  QueryEngine queryEngine(
      JdbcTableCatalog catalog,
      LayoutIndex layoutIndex,
      LakeCatalog lake,
      FileIO fileIo,
      AccessControl accessControl,
      ServiceConfiguration configuration,
      Home home,
      Clock clock) {
    Runtime machine = Runtime.getRuntime();
    Namespace first = Namespace.of(FIRST_SCHEMA);
    if (!catalog.namespaceExists(first)) {
      catalog.createNamespace(first);
    }
    return new EngineBuilder(
            new WriterSinkFactory(layoutIndex, lake.uploads()),
            accessControl,
            MemoryPools.greedy((long) (machine.maxMemory() * POOL_SHARE)),
            new FairCoreGate(machine.availableProcessors()))
        .lake(CATALOG, catalog, layoutIndex)
        .procedure(new AnalyzeProcedure())
        .procedure(new CompactProcedure(lake.uploads()))
        .procedure(new ExpireSnapshotsProcedure(lake.upkeep(), clock))
        .procedure(new RemoveOrphanFilesProcedure(lake.upkeep(), clock, CATALOG))
        .pins(lake.pins())
        .procedure(new VerifyOrderProcedure())
        .fileIo(fileIo)
        .spill(SpillSpace.open(home.temporary().resolve("spill"), configuration.spillBytes()))
        .settings(configuration.settings())
        .startIn(CATALOG, FIRST_SCHEMA)
        .clock(clock)
        .build();
  }

  /** The catalog's background indexer reads footers with the engine's code. */
  @Bean
  FooterReader footerReader() {
    return TableFooters::read;
  }

  /** Checks claimed orders in the background, if that is wanted. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  OrderChecks orderChecks(
      QueryEngine engine,
      JdbcTableCatalog catalog,
      LayoutIndex layoutIndex,
      ServiceConfiguration configuration) {
    IndexConfiguration index = configuration.index();
    OrderChecks checks =
        new OrderChecks(
            engine,
            new Principal("order-checks", Set.of(Principals.ADMIN)),
            CATALOG,
            catalog,
            layoutIndex,
            index.checkBytesPerSecond(),
            CHECK_EVERY);
    if (index.background() && index.checkBytesPerSecond() > 0) {
      checks.start();
    }
    return checks;
  }
}
