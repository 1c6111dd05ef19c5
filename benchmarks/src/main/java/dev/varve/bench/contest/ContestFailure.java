package dev.varve.bench.contest;

/** An engine could not do what it was asked. */
public final class ContestFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ContestFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
