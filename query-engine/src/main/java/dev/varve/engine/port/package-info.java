/** The seams of the engine: what writer, service and connectors implement or call. */
@NullMarked
package dev.varve.engine.port;

import org.jspecify.annotations.NullMarked;
