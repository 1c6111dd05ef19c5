package dev.varve.engine.properties;

/** Whether a stream ends. */
public enum Boundedness {
  BOUNDED,
  UNBOUNDED
}
