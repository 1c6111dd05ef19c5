package dev.varve.engine.kernel;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.ZoneId;

/** Conversions between types, as PostgreSQL makes them; encodings are kept. */
public final class Casts {
  private Casts() {}

  /** A safe cast gives null where the other is an error. */
  public static Column cast(Column column, DataType type, boolean safe, ZoneId zone) {
    if (column.type().equals(type)) {
      return column;
    }
    if (column.type().kind() == TypeKind.NULL) {
      return ConstantColumn.nulls(type, column.length());
    }
    if (column instanceof ConstantColumn constant) {
      return new ConstantColumn(flat(constant.single(), type, safe, zone), column.length());
    }
    if (column instanceof DictionaryColumn dictionary) {
      return Dictionaries.map(dictionary, entries -> flat(entries, type, safe, zone));
    }
    return flat(column, type, safe, zone);
  }

  private static Column flat(Column column, DataType type, boolean safe, ZoneId zone) {
    return safe ? safely(column, type, zone) : strictly(column, type, zone);
  }

  /** Halves the column around its failures until they are single rows, which become null. */
  private static Column safely(Column column, DataType type, ZoneId zone) {
    try {
      return strictly(column, type, zone);
    } catch (VarveException failure) {
      if (failure.code() == ErrorCode.FEATURE_NOT_SUPPORTED) {
        throw failure;
      }
      int n = column.length();
      RowScatter rows = new RowScatter(type, n);
      if (n > 1) {
        int half = n / 2;
        rows.put(safely(column.slice(0, half), type, zone), range(0, half), half);
        rows.put(safely(column.slice(half, n - half), type, zone), range(half, n), n - half);
      }
      return rows.build();
    }
  }

  private static int[] range(int from, int to) {
    int[] rows = new int[to - from];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = from + i;
    }
    return rows;
  }

  private static Column strictly(Column column, DataType type, ZoneId zone) {
    return switch (column.type().kind()) {
      case NULL -> ConstantColumn.nulls(type, column.length()).flat();
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL ->
          switch (type.kind()) {
            case VARCHAR -> TextFormat.format(column, zone);
            case BOOLEAN, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL ->
                NumberCasts.cast(column, type);
            default -> throw unsupported(column.type(), type);
          };
      case DATE, TIME, TIMESTAMP, TIMESTAMPTZ ->
          type.kind() == TypeKind.VARCHAR
              ? TextFormat.format(column, zone)
              : TimeCasts.cast(column, type, zone);
      case INTERVAL_DAY, INTERVAL_MONTH, VARBINARY, UUID ->
          switch (type.kind()) {
            case VARCHAR -> TextFormat.format(column, zone);
            case TIME, INTERVAL_DAY, INTERVAL_MONTH -> TimeCasts.cast(column, type, zone);
            default -> throw unsupported(column.type(), type);
          };
      case VARCHAR -> TextParse.parse(Flats.bytes(column), type, zone);
    };
  }

  static VarveException unsupported(DataType from, DataType to) {
    return new VarveException(ErrorCode.TYPE_MISMATCH, "cannot cast type " + from + " to " + to);
  }

  /** Whether there is a cast at all. */
  public static boolean supported(DataType from, DataType to) {
    if (from.equals(to) || from.kind() == TypeKind.NULL || from.kind() == TypeKind.VARCHAR) {
      return true;
    }
    if (to.kind() == TypeKind.VARCHAR) {
      return true;
    }
    return switch (from.kind()) {
      case BOOLEAN -> to.isNumeric() || to.kind() == TypeKind.BOOLEAN;
      case SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL ->
          to.isNumeric() || to.kind() == TypeKind.BOOLEAN;
      case DATE -> to.kind() == TypeKind.TIMESTAMP || to.kind() == TypeKind.TIMESTAMPTZ;
      case TIMESTAMP, TIMESTAMPTZ ->
          to.kind() == TypeKind.DATE
              || to.kind() == TypeKind.TIME
              || to.kind() == TypeKind.TIMESTAMP
              || to.kind() == TypeKind.TIMESTAMPTZ;
      case TIME -> to.kind() == TypeKind.INTERVAL_DAY;
      case INTERVAL_DAY -> to.kind() == TypeKind.TIME;
      default -> false;
    };
  }

  /** Whether the session's time zone takes part. */
  public static boolean usesZone(DataType from, DataType to) {
    boolean fromZoned = from.kind() == TypeKind.TIMESTAMPTZ;
    boolean toZoned = to.kind() == TypeKind.TIMESTAMPTZ;
    return fromZoned != toZoned && from.kind() != TypeKind.NULL;
  }

  /** Whether some value has no counterpart in the other type. */
  public static boolean fallible(DataType from, DataType to) {
    if (from.kind() == TypeKind.NULL || to.kind() == TypeKind.VARCHAR || from.equals(to)) {
      return false;
    }
    return switch (from.kind()) {
      case BOOLEAN -> to.isDecimal();
      case SMALLINT, INTEGER, BIGINT ->
          switch (to.kind()) {
            case BOOLEAN, REAL, DOUBLE -> false;
            case SMALLINT, INTEGER, BIGINT -> from.kind().compareTo(to.kind()) > 0;
            case DECIMAL -> to.precision() - to.scale() < digits(from);
            default -> true;
          };
      case REAL -> to.kind() != TypeKind.DOUBLE;
      case DECIMAL ->
          switch (to.kind()) {
            case DOUBLE -> false;
            case DECIMAL ->
                to.precision() - to.scale()
                    < from.precision() - from.scale() + (to.scale() < from.scale() ? 1 : 0);
            default -> true;
          };
      case TIMESTAMP, TIMESTAMPTZ, TIME -> false;
      case DATE, DOUBLE, INTERVAL_DAY, INTERVAL_MONTH, VARCHAR, VARBINARY, UUID, NULL -> true;
    };
  }

  /** Decimal digits of the largest value. */
  static int digits(DataType integer) {
    return switch (integer.kind()) {
      case SMALLINT -> 5;
      case INTEGER -> 10;
      default -> 19;
    };
  }
}
