package dev.varve.engine.runtime;

/** The life of a query; FINISHED, FAILED and CANCELED are final. */
public enum QueryState {
  QUEUED,
  PLANNING,
  RUNNING,
  FINISHED,
  FAILED,
  CANCELED;

  public boolean isFinal() {
    return compareTo(FINISHED) >= 0;
  }
}
