package dev.varve.engine.parquet;

/** Codes into the chunk's dictionary: a byte with their width, then runs. */
final class DictionaryDecoder extends PageDecoder {
  private final RleDecoder runs;
  private final int entries;

  DictionaryDecoder(byte[] buffer, int start, int end, int entries) {
    super("RLE_DICTIONARY");
    this.entries = entries;
    // A page of nulls only may be empty.
    this.runs =
        start < end
            ? new RleDecoder(buffer, start + 1, end, buffer[start] & 0xff)
            : new RleDecoder(buffer, start, end, 1);
  }

  /** Every code that is given is one of the dictionary. */
  void codes(int[] target, int at, int count) {
    runs.read(target, at, count);
    // Negative if a code is, or if it is past the last entry.
    int wrong = 0;
    for (int i = at; i < at + count; i++) {
      int code = target[i];
      wrong |= code | (entries - 1 - code);
    }
    if (wrong < 0) {
      throw new CorruptPageException(
          entries == 0
              ? "a page refers to a dictionary, but there is none"
              : "a page refers past the " + entries + " entries of its dictionary");
    }
  }

  @Override
  void skip(int count) {
    runs.skip(count);
  }
}
