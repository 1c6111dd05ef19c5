package dev.varve.layout;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far the index of one table is.
 *
 * @param indexedSnapshot the first of the snapshots asked for that it knows entirely
 * @param manifestFiles files whose footer is still to be read
 * @param footerFiles files of which manifest and footer are known
 * @param writerFiles files that Varve wrote
 * @param unreadableFiles files without a footer that could be read
 * @param claimedFiles files with an order that was not compared with their rows
 * @param working whether somebody is at it now
 * @param nextAttemptMillis when work that failed is tried again
 * @param error why it failed last
 */
public record IndexState(
    OptionalLong indexedSnapshot,
    long manifestFiles,
    long footerFiles,
    long writerFiles,
    long unreadableFiles,
    long claimedFiles,
    boolean working,
    OptionalLong nextAttemptMillis,
    Optional<String> error,
    OptionalLong errorMillis) {}
