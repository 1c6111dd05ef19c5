package dev.varve.engine.type;

/** The kinds of SQL types, with the column class that holds them. */
public enum TypeKind {
  /** The type of an untyped NULL; held as a constant. */
  NULL,
  /** {@code byte[]}, 0 or 1. */
  BOOLEAN,
  /** {@code int[]}, -32768 to 32767. */
  SMALLINT,
  /** {@code int[]}. */
  INTEGER,
  /** {@code long[]}. */
  BIGINT,
  /** {@code float[]}. */
  REAL,
  /** {@code double[]}. */
  DOUBLE,
  /** {@code long[]} up to precision 18, two {@code long[]} above; unscaled values. */
  DECIMAL,
  /** {@code int[]}, days since 1970-01-01. */
  DATE,
  /** {@code long[]}, microseconds since midnight. */
  TIME,
  /** {@code long[]}, microseconds since 1970-01-01T00:00:00, no zone. */
  TIMESTAMP,
  /** {@code long[]}, microseconds since 1970-01-01T00:00:00Z. */
  TIMESTAMPTZ,
  /** {@code long[]}, microseconds. */
  INTERVAL_DAY,
  /** {@code int[]}, months. */
  INTERVAL_MONTH,
  /** UTF-8 bytes and offsets. */
  VARCHAR,
  /** Bytes and offsets. */
  VARBINARY,
  /** 16 bytes a value in bytes and offsets, big-endian. */
  UUID
}
