package dev.varve.service.postgres;

import dev.varve.engine.type.DataType;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's numbers of our types. */
public final class WireTypes {
  public static final int BOOL = 16;
  public static final int BYTEA = 17;
  public static final int NAME = 19;
  public static final int INT8 = 20;
  public static final int INT2 = 21;
  public static final int INT4 = 23;
  public static final int TEXT = 25;
  public static final int OID = 26;
  public static final int FLOAT4 = 700;
  public static final int FLOAT8 = 701;
  public static final int UNKNOWN = 705;
  public static final int BPCHAR = 1042;
  public static final int VARCHAR = 1043;
  public static final int DATE = 1082;
  public static final int TIME = 1083;
  public static final int TIMESTAMP = 1114;
  public static final int TIMESTAMPTZ = 1184;
  public static final int INTERVAL = 1186;
  public static final int NUMERIC = 1700;
  public static final int UUID = 2950;

  private static final int HEADER = 4;

  private WireTypes() {}

  public static int oid(DataType type) {
    return switch (type.kind()) {
      case NULL -> TEXT;
      case BOOLEAN -> BOOL;
      case SMALLINT -> INT2;
      case INTEGER -> INT4;
      case BIGINT -> INT8;
      case REAL -> FLOAT4;
      case DOUBLE -> FLOAT8;
      case DECIMAL -> NUMERIC;
      case DATE -> DATE;
      case TIME -> TIME;
      case TIMESTAMP -> TIMESTAMP;
      case TIMESTAMPTZ -> TIMESTAMPTZ;
      case INTERVAL_DAY, INTERVAL_MONTH -> INTERVAL;
      case VARCHAR -> VARCHAR;
      case VARBINARY -> BYTEA;
      case UUID -> UUID;
    };
  }

  /** Bytes of a value; -1 where they vary. */
  public static int length(DataType type) {
    return switch (type.kind()) {
      case BOOLEAN -> 1;
      case SMALLINT -> 2;
      case INTEGER, REAL, DATE -> 4;
      case BIGINT, DOUBLE, TIME, TIMESTAMP, TIMESTAMPTZ -> 8;
      case INTERVAL_DAY, INTERVAL_MONTH, UUID -> 16;
      case NULL, DECIMAL, VARCHAR, VARBINARY -> -1;
    };
  }

  /** Precision and scale; -1 for types without. */
  public static int modifier(DataType type) {
    return type.isDecimal() ? (type.precision() << 16 | type.scale()) + HEADER : -1;
  }

  /** The SQL type with which a parameter of that number is cast; null if we have none. */
  static @Nullable String sqlName(int oid) {
    return switch (oid) {
      case BOOL -> "boolean";
      case INT2 -> "smallint";
      case INT4 -> "integer";
      case INT8, OID -> "bigint";
      case FLOAT4 -> "real";
      case FLOAT8 -> "double precision";
      case NUMERIC -> "decimal(38,10)";
      case DATE -> "date";
      case TIME -> "time";
      case TIMESTAMP -> "timestamp";
      case TIMESTAMPTZ -> "timestamp with time zone";
      case BYTEA -> "varbinary";
      case UUID -> "uuid";
      case TEXT, VARCHAR, BPCHAR, NAME, UNKNOWN, 0 -> "varchar";
      default -> null;
    };
  }
}
