package dev.varve.layout;

import java.util.Optional;

/**
 * That a file has an ordering, how we know, and the range of its keys in that ordering where known.
 */
public record OrderingFact(TableOrdering ordering, Trust trust, Optional<KeyRange> range) {}
