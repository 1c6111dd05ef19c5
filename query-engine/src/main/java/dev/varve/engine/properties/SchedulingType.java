package dev.varve.engine.properties;

/** Whether a node's stream spends its budget and yields by itself. */
public enum SchedulingType {
  NON_COOPERATIVE,
  COOPERATIVE
}
