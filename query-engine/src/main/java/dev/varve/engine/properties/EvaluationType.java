package dev.varve.engine.properties;

/** LAZY: works when pulled. EAGER: drives its inputs by tasks of its own (exchanges). */
public enum EvaluationType {
  LAZY,
  EAGER
}
