package dev.varve.catalog.spring;

import dev.varve.catalog.CatalogSettings;
import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.background.BackgroundIndexer;
import dev.varve.catalog.background.FooterReader;
import dev.varve.catalog.rest.NamespaceController;
import dev.varve.catalog.rest.OncePerKey;
import dev.varve.catalog.rest.RestAdvice;
import dev.varve.catalog.rest.ScanController;
import dev.varve.catalog.rest.TableController;
import dev.varve.catalog.rest.UnservedController;
import dev.varve.catalog.rest.ViewController;
import dev.varve.catalog.table.JdbcTableCatalog;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.LocalFileIO;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.apache.iceberg.io.FileIO;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The catalog as beans over the application's data source: {@link LakeCatalog}, Iceberg's catalog,
 * the layout index, REST.
 */
@AutoConfiguration(after = {DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(CatalogProperties.class)
public class CatalogAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(FileIO.class)
  FileIO fileIO() {
    return new LocalFileIO();
  }

  @Bean
  @ConditionalOnMissingBean
  LakeCatalog lakeCatalog(DataSource dataSource, CatalogProperties properties, FileIO fileIO) {
    if (properties.warehouse() == null || properties.warehouse().isBlank()) {
      throw new VarveException(
          ErrorCode.INVALID_CONFIGURATION,
          "varve.catalog.warehouse is not set: where are the tables to lie?");
    }
    return LakeCatalog.open(
        dataSource,
        new CatalogSettings(
            properties.name(), properties.warehouse(), properties.roots(), properties.leastAge()),
        fileIO);
  }

  @Bean
  @ConditionalOnMissingBean
  JdbcTableCatalog icebergCatalog(LakeCatalog lakeCatalog) {
    return lakeCatalog.catalog();
  }

  @Bean
  @ConditionalOnMissingBean
  LayoutIndex layoutIndex(LakeCatalog lakeCatalog) {
    return lakeCatalog.layoutIndex();
  }

  /** Footers are read where the application brings somebody who can. */
  @Bean(destroyMethod = "close")
  BackgroundIndexer backgroundIndexer(
      LakeCatalog lakeCatalog,
      CatalogProperties properties,
      ObjectProvider<FooterReader> footerReaders) {
    BackgroundIndexer indexer =
        lakeCatalog.backgroundIndexer(
            Optional.ofNullable(footerReaders.getIfAvailable()), Duration.ofSeconds(2));
    if (!properties.indexing()) {
      indexer.pause();
    }
    indexer.start();
    return indexer;
  }

  /** The Iceberg REST protocol, where the application serves HTTP. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  static class Rest {
    /** A name may hold a slash, which a path then carries encoded. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> icebergNamesWithSlashes() {
      return tomcat ->
          tomcat.addConnectorCustomizers(
              connector ->
                  connector.setEncodedSolidusHandling(
                      EncodedSolidusHandling.PASS_THROUGH.getValue()));
    }

    @Bean
    OncePerKey oncePerKey(LakeCatalog lake, JdbcTableCatalog catalog) {
      return new OncePerKey(catalog, lake.requestKeys(), Clock.systemUTC());
    }

    @Bean
    ScanController icebergScanController(
        LakeCatalog lake,
        JdbcTableCatalog catalog,
        CatalogProperties properties,
        ObjectProvider<MeterRegistry> registries) {
      MeterRegistry meters = registries.getIfAvailable(CompositeMeterRegistry::new);
      return new ScanController(
          catalog,
          lake.scanPlans(
              properties.scanPageFiles(),
              source ->
                  meters
                      .counter(
                          "varve.iceberg.scan.plans",
                          "source",
                          source.name().toLowerCase(Locale.ROOT))
                      .increment()));
    }

    @Bean
    UnservedController icebergUnservedController() {
      return new UnservedController();
    }

    @Bean
    RestAdvice icebergAdvice() {
      return new RestAdvice();
    }

    @Bean
    NamespaceController icebergNamespaceController(JdbcTableCatalog catalog, OncePerKey once) {
      return new NamespaceController(catalog, once);
    }

    @Bean
    TableController icebergTableController(
        JdbcTableCatalog catalog, OncePerKey once, ObjectProvider<MeterRegistry> registries) {
      return new TableController(
          catalog, once, registries.getIfAvailable(CompositeMeterRegistry::new));
    }

    @Bean
    ViewController icebergViewController(JdbcTableCatalog catalog, OncePerKey once) {
      return new ViewController(catalog, once);
    }
  }
}
