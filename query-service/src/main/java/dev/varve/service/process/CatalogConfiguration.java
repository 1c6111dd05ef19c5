package dev.varve.service.process;

import dev.varve.catalog.CatalogSettings;
import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.store.EmbeddedDatabase;
import dev.varve.catalog.table.JdbcTableCatalog;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.io.LocalFileIO;
import java.nio.file.Path;
import org.apache.iceberg.io.FileIO;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The catalog of this process, over a database and a warehouse in its home. */
@Configuration(proxyBeanMethods = false)
class CatalogConfiguration {

  @Bean(destroyMethod = "close")
  EmbeddedDatabase catalogDatabase(@Value("${varve.catalog.database-file}") String file) {
    return EmbeddedDatabase.open(Path.of(file));
  }

  @Bean
  FileIO fileIo() {
    return new LocalFileIO();
  }

  @Bean
  LakeCatalog lakeCatalog(
      EmbeddedDatabase catalogDatabase,
      FileIO fileIo,
      @Value("${varve.catalog.warehouse}") String warehouse) {
    return LakeCatalog.open(
        catalogDatabase.dataSource(), new CatalogSettings("lake", warehouse), fileIo);
  }

  @Bean
  JdbcTableCatalog icebergCatalog(LakeCatalog lakeCatalog) {
    return lakeCatalog.catalog();
  }

  @Bean
  LayoutIndex layoutIndex(LakeCatalog lakeCatalog) {
    return lakeCatalog.layoutIndex();
  }
}
