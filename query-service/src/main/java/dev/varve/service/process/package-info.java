/** One running process: catalog, engine, writer and HTTP put together. */
@NullMarked
package dev.varve.service.process;

import org.jspecify.annotations.NullMarked;
