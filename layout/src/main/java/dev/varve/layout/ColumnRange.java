package dev.varve.layout;

import dev.varve.layout.key.EncodedKey;
import java.util.Optional;

/**
 * A condition that a conjunct puts on one column: every row the query needs has a non-null value in
 * the closed range [lower, upper] (an empty end is open), or, with {@code nullAllowed}, a null. NaN
 * lies above every number, so a range without upper end admits NaN.
 */
public record ColumnRange(
    int fieldId, Optional<EncodedKey> lower, Optional<EncodedKey> upper, boolean nullAllowed) {}
