/** TPC-H as tables that are generated while they are read. */
@NullMarked
package dev.varve.engine.connector.tpch;

import org.jspecify.annotations.NullMarked;
