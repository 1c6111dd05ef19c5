package dev.varve.catalog.index;

import dev.varve.layout.FileFacts;
import org.jspecify.annotations.Nullable;

/** Row-group facts are left out where H2 could not hold them: the footer has them too. */
final class RowGroupBlob {
  /** H2 holds a binary value of at most 1,048,576 bytes. */
  private static final int MAX_BYTES = 1_000_000;

  private RowGroupBlob() {}

  static byte @Nullable [] of(FileFacts file) {
    if (file.rowGroups().isEmpty()) {
      return null;
    }
    byte[] blob = FactsCodec.encodeRowGroups(file.rowGroups());
    return blob.length <= MAX_BYTES ? blob : null;
  }
}
