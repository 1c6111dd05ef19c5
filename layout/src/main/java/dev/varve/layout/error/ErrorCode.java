package dev.varve.layout.error;

/**
 * The kinds of failure a user can meet, each with the SQLSTATE that PostgreSQL clients know and the
 * HTTP status of its REST answer. Names are part of the public interface.
 */
public enum ErrorCode {
  SYNTAX_ERROR("42601", 400),
  UNDEFINED_TABLE("42P01", 400),
  UNDEFINED_SCHEMA("3F000", 400),
  UNDEFINED_CATALOG("3D000", 400),
  UNDEFINED_COLUMN("42703", 400),
  UNDEFINED_FUNCTION("42883", 400),
  UNDEFINED_OBJECT("42704", 400),
  AMBIGUOUS_COLUMN("42702", 400),
  DUPLICATE_TABLE("42P07", 409),
  DUPLICATE_SCHEMA("42P06", 409),
  SCHEMA_NOT_EMPTY("2BP01", 409),
  TYPE_MISMATCH("42804", 400),
  GROUPING_ERROR("42803", 400),
  INVALID_PARAMETER("22023", 400),
  NUMERIC_OUT_OF_RANGE("22003", 400),
  DIVISION_BY_ZERO("22012", 400),
  INVALID_TEXT("22P02", 400),
  INVALID_DATETIME("22007", 400),
  DATETIME_OUT_OF_RANGE("22008", 400),
  STRING_TOO_LONG("22001", 400),
  NOT_NULL_VIOLATION("23502", 400),
  CARDINALITY_VIOLATION("21000", 400),
  FEATURE_NOT_SUPPORTED("0A000", 400),
  INVALID_CONFIGURATION("F0000", 400),
  INSUFFICIENT_PRIVILEGE("42501", 403),
  INVALID_AUTHORIZATION("28000", 401),
  NOT_FOUND("02000", 404),
  QUERY_CANCELED("57014", 409),
  QUERY_TIMEOUT("57014", 408),
  MEMORY_LIMIT_EXCEEDED("53200", 507),
  DISK_FULL("53100", 507),
  TOO_MANY_QUERIES("53300", 429),
  FILE_NOT_FOUND("58P01", 404),
  FILE_CORRUPT("XX001", 422),
  IO_ERROR("58030", 500),
  COMMIT_CONFLICT("40001", 409),
  COMMIT_STATE_UNKNOWN("40003", 503),
  ORDER_VIOLATED("XX001", 409),
  SHUTTING_DOWN("57P01", 503),
  INTERNAL_ERROR("XX000", 500);

  private final String sqlState;
  private final int httpStatus;

  ErrorCode(String sqlState, int httpStatus) {
    this.sqlState = sqlState;
    this.httpStatus = httpStatus;
  }

  public String sqlState() {
    return sqlState;
  }

  public int httpStatus() {
    return httpStatus;
  }
}
