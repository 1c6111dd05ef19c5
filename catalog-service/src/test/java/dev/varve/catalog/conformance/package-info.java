/** Iceberg's own catalog test suites, run over HTTP. */
@NullMarked
package dev.varve.catalog.conformance;

import org.jspecify.annotations.NullMarked;
