/** The built-in catalogs: lake (Iceberg), tpch, system, information_schema, files. */
@NullMarked
package dev.varve.engine.connector;

import org.jspecify.annotations.NullMarked;
