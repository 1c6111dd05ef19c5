package dev.varve.catalog.spring;

import dev.varve.catalog.store.EmbeddedDatabase;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The catalog's own database file as the data source, where a file is named. */
@AutoConfiguration(before = DataSourceAutoConfiguration.class)
@ConditionalOnProperty("varve.catalog.database-file")
@ConditionalOnMissingBean(DataSource.class)
@EnableConfigurationProperties(CatalogProperties.class)
public class EmbeddedDatabaseAutoConfiguration {
  @Bean(destroyMethod = "close")
  EmbeddedDatabase catalogDatabase(CatalogProperties properties) {
    return EmbeddedDatabase.open(Path.of(String.valueOf(properties.databaseFile())));
  }

  @Bean
  DataSource dataSource(EmbeddedDatabase catalogDatabase) {
    return catalogDatabase.dataSource();
  }
}
