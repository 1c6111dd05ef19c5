package dev.varve.engine.kernel;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DictionaryColumn;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Work on dictionary entries instead of rows. */
public final class Dictionaries {
  private Dictionaries() {}

  /**
   * Applies an operation that maps each value on its own to the entries that occur in the column's
   * rows: entries that no row refers to must not be able to fail. Falls back to the rows where they
   * are fewer.
   */
  public static Column map(DictionaryColumn column, UnaryOperator<Column> operation) {
    int entries = column.dictionary().length();
    int rows = column.length();
    if (entries > rows) {
      return operation.apply(column.flat());
    }
    int[] renumbered = new int[entries];
    Arrays.fill(renumbered, -1);
    int[] used = new int[entries];
    int[] codes = new int[rows];
    int count = number(column, renumbered, used, codes);
    if (count == 0) {
      return operation.apply(column.flat());
    }
    Column distinct =
        count == entries && inOrder(used, count)
            ? column.dictionary()
            : column.dictionary().take(used, count);
    return spread(operation.apply(distinct).flat(), codes, rows, mask(column));
  }

  /** Rows of a result that was computed per entry; a null result makes its rows null. */
  private static Column spread(Column results, int[] codes, int rows, byte @Nullable [] validity) {
    if (results.mayHaveNulls()) {
      int[] source = codes;
      if (validity != null) {
        source = new int[rows];
        for (int i = 0; i < rows; i++) {
          source[i] = validity[i] == 0 ? -1 : codes[i];
        }
      }
      return results.take(source, rows);
    }
    return new DictionaryColumn(results, codes, 0, rows, validity);
  }

  private static int number(DictionaryColumn column, int[] renumbered, int[] used, int[] codes) {
    int[] source = column.codes();
    int offset = column.offset();
    byte[] validity = column.validity();
    int count = 0;
    for (int i = 0; i < codes.length; i++) {
      if (validity != null && validity[offset + i] == 0) {
        continue;
      }
      int code = source[offset + i];
      int number = renumbered[code];
      if (number < 0) {
        number = count++;
        renumbered[code] = number;
        used[number] = code;
      }
      codes[i] = number;
    }
    return count;
  }

  private static boolean inOrder(int[] used, int count) {
    for (int i = 0; i < count; i++) {
      if (used[i] != i) {
        return false;
      }
    }
    return true;
  }

  private static byte @Nullable [] mask(Column column) {
    byte[] validity = column.validity();
    return validity == null
        ? null
        : Arrays.copyOfRange(validity, column.offset(), column.offset() + column.length());
  }
}
