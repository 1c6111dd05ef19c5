package dev.varve.engine.kernel;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;

/** The length that a column's type allows. A character is a code point. */
public final class TextLengths {
  private TextLengths() {}

  /**
   * The texts; blanks beyond the end are cut, as the standard says.
   *
   * @throws VarveException STRING_TOO_LONG where other characters are beyond it
   */
  public static Column check(Column column, int most, String name) {
    BytesColumn in = Flats.bytes(column);
    int n = in.length();
    boolean longer = false;
    for (int i = 0; i < n; i++) {
      longer |= in.end(i) - in.start(i) > most && !in.isNull(i);
    }
    if (!longer) {
      return in;
    }
    BytesBuilder out = new BytesBuilder(n, (in.end(n - 1) - in.start(0)) / n + 1);
    for (int i = 0; i < n; i++) {
      int start = in.start(i);
      out.append(in.data(), start, in.isNull(i) ? start : end(in, i, most, name));
      out.endRow();
    }
    return out.build(DataType.VARCHAR, Masks.copy(in));
  }

  /** Where the row's text ends within the length. */
  private static int end(BytesColumn in, int row, int most, String name) {
    byte[] data = in.data();
    int end = in.end(row);
    int at = in.start(row);
    for (int characters = 0; at < end && characters < most; characters++) {
      at++;
      while (at < end && (data[at] & 0xC0) == 0x80) {
        at++;
      }
    }
    for (int i = at; i < end; i++) {
      if (data[i] != ' ') {
        throw new VarveException(
            ErrorCode.STRING_TOO_LONG,
            "value too long for column '" + name + "' of type varchar(" + most + ")");
      }
    }
    return at;
  }
}
