package dev.varve.engine.type;

/** Array layouts of column values. */
public enum PhysicalType {
  BOOLEAN,
  INT,
  LONG,
  INT128,
  FLOAT,
  DOUBLE,
  BYTES
}
