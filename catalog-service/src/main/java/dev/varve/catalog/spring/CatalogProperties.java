package dev.varve.catalog.spring;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code varve.catalog}.
 *
 * @param name the catalog's name
 * @param warehouse the location under which new tables lie
 * @param roots more places below which tables may lie
 * @param leastAge of files and snapshots that maintenance may remove
 * @param databaseFile an H2 database file of the catalog's own, without its {@code .mv.db}; without
 *     it the application's data source is used
 * @param scanPageFiles how many files are in one answer to an engine that has its scan planned here
 * @param indexing whether snapshots are indexed, in their commit or later; without it queries plan
 *     from manifests
 */
@ConfigurationProperties("varve.catalog")
public record CatalogProperties(
    @DefaultValue("lake") String name,
    @Nullable String warehouse,
    @DefaultValue List<String> roots,
    @DefaultValue("1d") Duration leastAge,
    @Nullable String databaseFile,
    @DefaultValue("1000") int scanPageFiles,
    @DefaultValue("true") boolean indexing) {}
