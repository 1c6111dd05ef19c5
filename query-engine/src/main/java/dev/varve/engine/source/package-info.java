/** What a catalog is to the engine: schemas and tables that answer with a scan. */
@NullMarked
package dev.varve.engine.source;

import org.jspecify.annotations.NullMarked;
