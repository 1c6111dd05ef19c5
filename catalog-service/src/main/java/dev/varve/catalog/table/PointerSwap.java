package dev.varve.catalog.table;

import dev.varve.catalog.index.IndexChange;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Moves a table's pointer.
 *
 * @param from where the pointer must stand; empty to create the table
 * @param to the metadata file that it is to stand on
 * @param uploads whose files the commit takes
 */
record PointerSwap(
    TableIdentifier table,
    String tableUuid,
    Optional<String> from,
    String to,
    IndexChange index,
    List<String> uploads) {}
