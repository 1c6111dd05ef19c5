package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.type.DataType;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** LIKE over columns; over a dictionary once for each entry that occurs. */
public final class Likes {
  private Likes() {}

  public static Column matches(Column value, LikePattern pattern, boolean negated) {
    if (value instanceof ConstantColumn constant) {
      return new ConstantColumn(
          matchFlat(Flats.bytes(constant.single()), pattern, negated), value.length());
    }
    if (value instanceof DictionaryColumn dictionary) {
      return Dictionaries.map(
          dictionary, entries -> matchFlat(Flats.bytes(entries), pattern, negated));
    }
    return matchFlat(Flats.bytes(value), pattern, negated);
  }

  /** A pattern of its own in every row. */
  public static Column matches(
      Column value, Column pattern, String escape, boolean caseInsensitive, boolean negated) {
    if (pattern instanceof ConstantColumn constant) {
      return constant.isNull(0)
          ? ConstantColumn.nulls(DataType.BOOLEAN, value.length())
          : matches(
              value,
              LikePattern.compile(
                  Flats.bytes(constant.single()).getString(0), escape, caseInsensitive),
              negated);
    }
    BytesColumn values = Flats.bytes(value);
    BytesColumn patterns = Flats.bytes(pattern);
    int n = values.length();
    byte[] valid = Masks.and(values, patterns);
    byte[] out = new byte[n];
    for (int i = 0; i < n; i++) {
      if (valid != null && valid[i] == 0) {
        continue;
      }
      LikePattern compiled = LikePattern.compile(patterns.getString(i), escape, caseInsensitive);
      out[i] = (byte) (matchRow(values, i, compiled) != negated ? 1 : 0);
    }
    return new BooleanColumn(DataType.BOOLEAN, out, valid);
  }

  private static BooleanColumn matchFlat(BytesColumn values, LikePattern pattern, boolean negated) {
    int n = values.length();
    byte[] out = new byte[n];
    int flip = negated ? 1 : 0;
    if (pattern.caseInsensitive()) {
      for (int i = 0; i < n; i++) {
        out[i] = (byte) ((!values.isNull(i) && matchRow(values, i, pattern) ? 1 : 0) ^ flip);
      }
    } else {
      byte[] data = values.data();
      int[] offsets = values.offsets();
      int offset = values.offset();
      for (int i = 0; i < n; i++) {
        boolean match = pattern.matches(data, offsets[offset + i], offsets[offset + i + 1]);
        out[i] = (byte) ((match ? 1 : 0) ^ flip);
      }
    }
    return new BooleanColumn(DataType.BOOLEAN, out, Masks.copy(values));
  }

  private static boolean matchRow(BytesColumn values, int row, LikePattern pattern) {
    if (!pattern.caseInsensitive()) {
      return pattern.matches(values.data(), values.start(row), values.end(row));
    }
    byte[] lower = values.getString(row).toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
    return pattern.matches(lower, 0, lower.length);
  }
}
