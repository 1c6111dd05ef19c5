package dev.varve.engine.batch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Codes into a flat dictionary without nulls; row i is {@code dictionary[codes[offset + i]]} unless
 * the validity mask says null (its code is then arbitrary but in range; the dictionary has at least
 * one entry unless every row is null). Entries need not be distinct, nor all used.
 */
public final class DictionaryColumn extends Column {
  private final int[] codes;
  private final Column dictionary;

  public DictionaryColumn(
      Column dictionary, int[] codes, int offset, int length, byte @Nullable [] validity) {
    super(dictionary.type(), offset, length, validity);
    if (dictionary instanceof DictionaryColumn
        || dictionary instanceof ConstantColumn
        || dictionary.mayHaveNulls()) {
      throw new IllegalArgumentException("a dictionary is flat and has no nulls");
    }
    this.codes = codes;
    this.dictionary = dictionary;
  }

  /** Row 0's code is at {@link #offset()}. Not to be written. */
  public int[] codes() {
    return codes;
  }

  public Column dictionary() {
    return dictionary;
  }

  @Override
  public DictionaryColumn slice(int from, int count) {
    checkSlice(from, count);
    return from == 0 && count == length
        ? this
        : new DictionaryColumn(dictionary, codes, offset + from, count, validity);
  }

  @Override
  public DictionaryColumn take(int[] rows, int count) {
    int[] taken = new int[count];
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      taken[i] = row < 0 ? 0 : codes[offset + row];
    }
    return new DictionaryColumn(dictionary, taken, 0, count, takenValidity(this, rows, count));
  }

  @Override
  public Column flat() {
    int[] rows = new int[length];
    if (validity == null) {
      System.arraycopy(codes, offset, rows, 0, length);
    } else {
      for (int i = 0; i < length; i++) {
        rows[i] = validity[offset + i] == 0 ? -1 : codes[offset + i];
      }
    }
    return dictionary.take(rows, length);
  }

  /** The dictionary counts in full: a slice keeps all of it alive. */
  @Override
  public long sizeInBytes() {
    return 4L * length + validityBytes() + dictionary.sizeInBytes();
  }

  @Override
  public DictionaryColumn compact() {
    if (offset == 0 && length == codes.length) {
      return this;
    }
    return new DictionaryColumn(
        dictionary,
        Arrays.copyOfRange(codes, offset, offset + length),
        0,
        length,
        compactValidity(this));
  }
}
