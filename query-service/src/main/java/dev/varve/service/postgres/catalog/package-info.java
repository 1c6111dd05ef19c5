/**
 * What tools ask of {@code pg_catalog}. Their queries use much of PostgreSQL's SQL, so they are
 * answered by a small H2 database in memory that has PostgreSQL's tables, filled from our catalogs.
 * Start reading at {@link dev.varve.service.postgres.catalog.PgCatalog}.
 */
@NullMarked
package dev.varve.service.postgres.catalog;

import org.jspecify.annotations.NullMarked;
