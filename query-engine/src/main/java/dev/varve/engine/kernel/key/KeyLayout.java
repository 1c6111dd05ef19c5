package dev.varve.engine.kernel.key;

import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.Collections;
import java.util.List;

/**
 * How rows of some key columns are encoded. Of each column first a byte that places nulls, then the
 * value, big-endian, so that unsigned comparison is the wanted order:
 *
 * <pre>
 * null byte   1 null that comes first, 2 value, 3 null that comes last (its value bytes are 0)
 * integers    sign bit flipped        floats   positive: sign bit set, negative: all bits flipped
 * strings     bytes, 00 as 00 FF, and 00 00 at the end
 * descending  value bytes inverted (not the null byte)
 * </pre>
 *
 * A layout without {@code nulls} is for columns that have none, and leaves out the null bytes where
 * rows are longs then.
 *
 * <p>Rows of up to 8 bytes are a long, of up to 16 a pair of longs, others bytes.
 */
public record KeyLayout(List<DataType> types, List<SortOptions> options, boolean nulls) {
  static final int NULL_FIRST = 1;
  static final int VALUE = 2;
  static final int NULL_LAST = 3;

  /** How a row's bytes are held. */
  public enum Shape {
    LONG,
    PAIR,
    BYTES
  }

  public KeyLayout {
    types = List.copyOf(types);
    options = List.copyOf(options);
    if (types.isEmpty() || types.size() != options.size()) {
      throw new IllegalArgumentException(types.size() + " keys with " + options.size() + " orders");
    }
    nulls |= shape(types, 0) == Shape.BYTES;
  }

  public KeyLayout(List<DataType> types, List<SortOptions> options) {
    this(types, options, true);
  }

  /** For equality alone. */
  public static KeyLayout unordered(List<DataType> types) {
    return new KeyLayout(types, Collections.nCopies(types.size(), SortOptions.ASC), true);
  }

  /** For the same keys without nulls, or with them. */
  public KeyLayout withNulls(boolean any) {
    return new KeyLayout(types, options, any);
  }

  public int size() {
    return types.size();
  }

  /** Bytes of a value, or -1 where they vary. */
  static int width(DataType type) {
    return switch (type.physical()) {
      case BOOLEAN -> 1;
      case INT, FLOAT -> 4;
      case LONG, DOUBLE -> 8;
      case INT128 -> 16;
      case BYTES -> type.kind() == TypeKind.UUID ? 16 : -1;
    };
  }

  public Shape shape() {
    return shape(types, nulls ? 1 : 0);
  }

  private static Shape shape(List<DataType> types, int markBytes) {
    int total = 0;
    for (DataType type : types) {
      int width = width(type);
      if (width < 0 || width > 8) {
        return Shape.BYTES;
      }
      total += markBytes + width;
    }
    return total <= 8 ? Shape.LONG : total <= 16 ? Shape.PAIR : Shape.BYTES;
  }

  int nullByte(int key) {
    return options.get(key).nullsFirst() ? NULL_FIRST : NULL_LAST;
  }

  boolean descending(int key) {
    return options.get(key).descending();
  }
}
