package dev.varve.engine.parquet;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DictionaryColumn;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the codes of a batch whose pages all refer to the dictionary, as a {@link
 * DictionaryColumn}; one with other pages among them, or of which codes are not wanted, is written
 * out by another assembler. Confined to one task.
 */
final class CodedAssembler {
  private final ColumnAssembler flat;

  /** The entries; null until there is a dictionary. */
  private @Nullable Column dictionary;

  private int rows;

  /** Codes of the rows so far, while all of them are codes; empty if all are null. */
  private int[] codes = new int[0];

  private boolean coded;
  private int[] scratch = new int[0];

  CodedAssembler(ColumnAssembler flat) {
    this.flat = flat;
  }

  /** Starts a column of {@code rowCount} rows in new arrays. */
  void begin(int rowCount, boolean keepCodes) {
    rows = rowCount;
    coded = keepCodes;
    codes = new int[0];
    if (!keepCodes) {
      flat.begin(rowCount);
    }
  }

  /** The dictionary that codes refer to from now on: flat, of the column's type. */
  void dictionary(Column entries) {
    dictionary = entries;
    flat.dictionary(entries);
  }

  /** Appends values to rows from {@code at} on, dense. */
  void decode(PageDecoder decoder, int at, int count) {
    if (decoder instanceof DictionaryDecoder dictionaryCodes) {
      if (dictionary == null) {
        throw new CorruptPageException("a page refers to a dictionary that is not there");
      }
      if (coded) {
        if (codes.length == 0) {
          codes = new int[rows];
        }
        dictionaryCodes.codes(codes, at, count);
      } else {
        if (scratch.length < count) {
          scratch = new int[count];
        }
        dictionaryCodes.codes(scratch, 0, count);
        flat.lookUp(scratch, at, count);
      }
    } else {
      writeOut(at);
      flat.decode(decoder, at, count);
    }
  }

  private void writeOut(int rowsSoFar) {
    if (coded) {
      coded = false;
      flat.begin(rows);
      if (codes.length > 0) {
        // A null's code is 0, so it gets an entry's value: it is arbitrary, but there.
        flat.lookUp(codes, 0, rowsSoFar);
      } else {
        flat.empty(rowsSoFar);
      }
    }
  }

  /** Moves {@code dense} values from row {@code at} on apart to the valid ones of {@code count}. */
  void spread(int at, int count, int dense, byte[] validity) {
    if (!coded) {
      flat.spread(at, count, dense, validity);
    } else if (codes.length > 0) {
      int next = at + dense;
      for (int i = at + count - 1; i >= at; i--) {
        codes[i] = validity[i] != 0 ? codes[--next] : 0;
      }
    }
  }

  Column finish(byte @Nullable [] validity) {
    Column entries = dictionary;
    if (coded && entries != null && codes.length > 0) {
      int[] own = codes;
      codes = new int[0];
      return new DictionaryColumn(entries, own, 0, rows, validity);
    }
    // Nothing but nulls.
    writeOut(rows);
    return flat.finish(rows, validity);
  }
}
