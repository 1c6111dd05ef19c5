package dev.varve.service.home;

import org.jspecify.annotations.Nullable;

/** The process cannot start, for a reason its user can remove; the message is one line. */
public final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartFailure(String message) {
    this(message, null);
  }

  public StartFailure(String message, @Nullable Throwable cause) {
    super(message.lines().reduce((a, b) -> a + " " + b).orElse(""), cause);
  }
}
