/**
 * Files for state that does not fit into memory.
 *
 * <p>A node has one {@link dev.varve.engine.spill.SpillSpace}: a folder and a limit. Each query
 * gets a {@link dev.varve.engine.spill.SpillScope} of it, which closes with the query and takes all
 * its files along. A {@link dev.varve.engine.spill.SpillFile} is one Arrow IPC stream: batches are
 * appended and read back, by several readers if need be, also while it is still being written.
 *
 * <p>Not here: when to spill and what ({@code operator}), and giving back the core while the device
 * works, for which operators go through {@code OperatorSpill}.
 */
@NullMarked
package dev.varve.engine.spill;

import org.jspecify.annotations.NullMarked;
