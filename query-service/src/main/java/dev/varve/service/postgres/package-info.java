/**
 * PostgreSQL's wire protocol, version 3, for psql, drivers and tools: the same statements, sessions
 * and queries as over every other way in. Start reading at {@link
 * dev.varve.service.postgres.Connection}; {@code catalog} answers what tools ask of {@code
 * pg_catalog}.
 */
@NullMarked
package dev.varve.service.postgres;

import org.jspecify.annotations.NullMarked;
