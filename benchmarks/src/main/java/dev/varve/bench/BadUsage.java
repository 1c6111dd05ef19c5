package dev.varve.bench;

/** The command line cannot be followed; the message says why. */
public final class BadUsage extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BadUsage(String message) {
    super(message);
  }
}
