package dev.varve.catalog.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code varve.catalog}.
 *
 * @param name the catalog's name
 * @param warehouse the location under which all tables lie
 * @param databaseFile an H2 database file of the catalog's own, without its {@code .mv.db}; without
 *     it the application's data source is used
 * @param scanPageFiles how many files are in one answer to an engine that has its scan planned here
 */
@ConfigurationProperties("varve.catalog")
public record CatalogProperties(
    @DefaultValue("lake") String name,
    @Nullable String warehouse,
    @Nullable String databaseFile,
    @DefaultValue("1000") int scanPageFiles) {}
