package dev.varve.engine.type;

/** A SQL type. Precision and scale are those of a DECIMAL and 0 otherwise. */
public record DataType(TypeKind kind, int precision, int scale) {
  public static final int MAX_DECIMAL_PRECISION = 38;

  /** Largest precision whose unscaled values fit a long. */
  public static final int MAX_LONG_PRECISION = 18;

  private static final int MAX_BIGINT_DIGITS = 19;
  private static final int AVERAGE_SCALE = 16;

  public static final DataType NULL = simple(TypeKind.NULL);
  public static final DataType BOOLEAN = simple(TypeKind.BOOLEAN);
  public static final DataType SMALLINT = simple(TypeKind.SMALLINT);
  public static final DataType INTEGER = simple(TypeKind.INTEGER);
  public static final DataType BIGINT = simple(TypeKind.BIGINT);
  public static final DataType REAL = simple(TypeKind.REAL);
  public static final DataType DOUBLE = simple(TypeKind.DOUBLE);
  public static final DataType DATE = simple(TypeKind.DATE);
  public static final DataType TIME = simple(TypeKind.TIME);
  public static final DataType TIMESTAMP = simple(TypeKind.TIMESTAMP);
  public static final DataType TIMESTAMPTZ = simple(TypeKind.TIMESTAMPTZ);
  public static final DataType INTERVAL_DAY = simple(TypeKind.INTERVAL_DAY);
  public static final DataType INTERVAL_MONTH = simple(TypeKind.INTERVAL_MONTH);
  public static final DataType VARCHAR = simple(TypeKind.VARCHAR);
  public static final DataType VARBINARY = simple(TypeKind.VARBINARY);
  public static final DataType UUID = simple(TypeKind.UUID);

  public DataType {
    if (kind == TypeKind.DECIMAL) {
      if (precision < 1 || precision > MAX_DECIMAL_PRECISION || scale < 0 || scale > precision) {
        throw new IllegalArgumentException(
            "no such type: decimal(" + precision + "," + scale + ")");
      }
    } else if (precision != 0 || scale != 0) {
      throw new IllegalArgumentException(kind + " has no precision");
    }
  }

  private static DataType simple(TypeKind kind) {
    return new DataType(kind, 0, 0);
  }

  public static DataType decimal(int precision, int scale) {
    return new DataType(TypeKind.DECIMAL, precision, scale);
  }

  /** The array layout that holds this type's values. */
  public PhysicalType physical() {
    return switch (kind) {
      case NULL, BOOLEAN -> PhysicalType.BOOLEAN;
      case SMALLINT, INTEGER, DATE, INTERVAL_MONTH -> PhysicalType.INT;
      case BIGINT, TIME, TIMESTAMP, TIMESTAMPTZ, INTERVAL_DAY -> PhysicalType.LONG;
      case REAL -> PhysicalType.FLOAT;
      case DOUBLE -> PhysicalType.DOUBLE;
      case DECIMAL -> precision <= MAX_LONG_PRECISION ? PhysicalType.LONG : PhysicalType.INT128;
      case VARCHAR, VARBINARY, UUID -> PhysicalType.BYTES;
    };
  }

  /**
   * The type of the average of exact numbers of this type: 16 digits after the point, or as many as
   * the largest value leaves room for, never fewer than the values have.
   */
  public DataType average() {
    int whole = kind == TypeKind.DECIMAL ? precision - scale : MAX_BIGINT_DIGITS;
    int digits = Math.max(scale, Math.min(AVERAGE_SCALE, MAX_DECIMAL_PRECISION - whole));
    return decimal(MAX_DECIMAL_PRECISION, digits);
  }

  public boolean isInteger() {
    return kind == TypeKind.SMALLINT || kind == TypeKind.INTEGER || kind == TypeKind.BIGINT;
  }

  public boolean isFloating() {
    return kind == TypeKind.REAL || kind == TypeKind.DOUBLE;
  }

  public boolean isDecimal() {
    return kind == TypeKind.DECIMAL;
  }

  public boolean isNumeric() {
    return isInteger() || isFloating() || isDecimal();
  }

  /** As PostgreSQL writes it, lower case. */
  @Override
  public String toString() {
    return switch (kind) {
      case NULL -> "unknown";
      case BOOLEAN -> "boolean";
      case SMALLINT -> "smallint";
      case INTEGER -> "integer";
      case BIGINT -> "bigint";
      case REAL -> "real";
      case DOUBLE -> "double precision";
      case DECIMAL -> "decimal(" + precision + "," + scale + ")";
      case DATE -> "date";
      case TIME -> "time";
      case TIMESTAMP -> "timestamp";
      case TIMESTAMPTZ -> "timestamp with time zone";
      case INTERVAL_DAY -> "interval day to second";
      case INTERVAL_MONTH -> "interval year to month";
      case VARCHAR -> "varchar";
      case VARBINARY -> "varbinary";
      case UUID -> "uuid";
    };
  }
}
