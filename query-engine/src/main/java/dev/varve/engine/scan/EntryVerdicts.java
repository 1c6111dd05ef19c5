package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DictionaryColumn;
import org.jspecify.annotations.Nullable;

/**
 * What a condition on one column says of the entries of a dictionary, asked once for each
 * dictionary. Confined to one task.
 */
abstract class EntryVerdicts {
  /** As many entries are asked at once without waiting whether it pays. */
  private static final int FEW = 1024;

  private @Nullable Column dictionary;
  private byte @Nullable [] verdicts;
  private byte nullVerdict;
  private long rowsSeen;

  /** Marks the values that pass with 1; {@code marks} is zero. */
  abstract void mark(Column values, byte[] marks);

  abstract boolean passesNull();

  /** Forgets the verdicts: the condition is another one. */
  final void reset() {
    dictionary = null;
    verdicts = null;
  }

  /**
   * Whether {@link #select} should be used for the column: once as many rows have come as the
   * dictionary has entries.
   */
  final boolean isWorthwhile(DictionaryColumn coded) {
    if (dictionary != coded.dictionary()) {
      dictionary = coded.dictionary();
      verdicts = null;
      rowsSeen = 0;
    }
    rowsSeen += coded.length();
    return verdicts != null || coded.dictionary().length() <= Math.max(FEW, rowsSeen);
  }

  /** Writes the rows that pass, ascending, and answers how many. */
  final int select(DictionaryColumn coded, int[] selection) {
    byte[] table = verdicts;
    if (table == null) {
      table = new byte[coded.dictionary().length()];
      if (table.length > 0) {
        mark(coded.dictionary(), table);
      }
      nullVerdict = (byte) (passesNull() ? 1 : 0);
      verdicts = table;
    }
    int[] codes = coded.codes();
    int offset = coded.offset();
    int rows = coded.length();
    byte[] validity = coded.validity();
    int count = 0;
    if (validity == null) {
      for (int i = 0; i < rows; i++) {
        selection[count] = i;
        count += table[codes[offset + i]];
      }
    } else {
      byte ofNull = nullVerdict;
      for (int i = 0; i < rows; i++) {
        selection[count] = i;
        count += validity[offset + i] != 0 ? table[codes[offset + i]] : ofNull;
      }
    }
    return count;
  }
}
