package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import java.util.List;

/** Regular expressions as conditions, and numbers as hexadecimal text. */
public final class TextMatches {
  private TextMatches() {}

  /** Whether the expression matches anywhere: text, expression, optionally flags. */
  public static Column regexpLike(List<Column> arguments) {
    byte[] valid = Strings.validity(arguments);
    BytesColumn texts = Flats.bytes(arguments.get(0));
    BytesColumn expressions = Flats.bytes(arguments.get(1));
    BytesColumn flags = arguments.size() > 2 ? Flats.bytes(arguments.get(2)) : null;
    TextRows.PatternMemory memory = new TextRows.PatternMemory();
    byte[] out = new byte[texts.length()];
    for (int i = 0; i < out.length; i++) {
      if (valid == null || valid[i] != 0) {
        boolean found =
            memory
                .get(expressions.getString(i), flags == null ? "" : flags.getString(i))
                .matcher(texts.getString(i))
                .find();
        out[i] = (byte) (found ? 1 : 0);
      }
    }
    return new BooleanColumn(DataType.BOOLEAN, out, valid);
  }

  public static Column toHex(Column column) {
    LongColumn in = Flats.longs(column);
    BytesBuilder out = new BytesBuilder(in.length(), 8);
    for (int i = 0; i < in.length(); i++) {
      if (!in.isNull(i)) {
        out.append(Long.toHexString(in.get(i)));
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, Masks.copy(in));
  }
}
