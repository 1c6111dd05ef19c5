package dev.varve.service.client;

import org.jspecify.annotations.Nullable;

/**
 * What the service refused, as it told. {@code line} and {@code column} count from 1 in the
 * statement's text, 0 where the text is not at fault. The code is {@link #UNREACHABLE} where no
 * service answered.
 */
public final class ServerError extends RuntimeException {
  public static final String UNREACHABLE = "UNREACHABLE";
  private static final long serialVersionUID = 1L;

  private final String code;
  private final int line;
  private final int column;
  private final @Nullable String hint;

  public ServerError(String code, String message, int line, int column, @Nullable String hint) {
    super(message);
    this.code = code;
    this.line = line;
    this.column = column;
    this.hint = hint;
  }

  public String code() {
    return code;
  }

  public int line() {
    return line;
  }

  public int column() {
    return column;
  }

  public @Nullable String hint() {
    return hint;
  }
}
