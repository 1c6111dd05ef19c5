package dev.varve.catalog.index;

import dev.varve.layout.FileFacts;
import org.jspecify.annotations.Nullable;

/**
 * A data file as the index stores it: its facts and what only the manifest says.
 *
 * @param format 0 Parquet, 1 ORC, 2 Avro, 3 another
 * @param task see {@link TaskBlob}
 */
record FileEntry(
    FileFacts facts,
    int format,
    @Nullable Integer sortOrderId,
    @Nullable Long dataSequence,
    StatsState state,
    byte @Nullable [] task) {}
