package dev.varve.layout.error;

import org.jspecify.annotations.Nullable;

/**
 * A failure that its user can understand and act on: it carries a code, a message with the
 * offending values, a position where the statement's text is at fault, and a hint. A bug of ours is
 * an {@link IllegalStateException} instead.
 */
public final class VarveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final transient @Nullable SourcePosition position;
  private final @Nullable String hint;

  public VarveException(ErrorCode code, String message) {
    this(code, message, null, null, null);
  }

  public VarveException(ErrorCode code, String message, @Nullable Throwable cause) {
    this(code, message, null, null, cause);
  }

  public VarveException(
      ErrorCode code,
      String message,
      @Nullable SourcePosition position,
      @Nullable String hint,
      @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.position = position;
    this.hint = hint;
  }

  public ErrorCode code() {
    return code;
  }

  public @Nullable SourcePosition position() {
    return position;
  }

  public @Nullable String hint() {
    return hint;
  }

  /** The same failure, placed in the statement's text; a position that is already known stays. */
  public VarveException at(SourcePosition place) {
    return position != null
        ? this
        : new VarveException(code, String.valueOf(getMessage()), place, hint, this);
  }

  /** One line for a person: message, position, hint. */
  public String describe() {
    StringBuilder text = new StringBuilder(String.valueOf(getMessage()));
    if (hint != null) {
      text.append("; ").append(hint);
    }
    if (position != null) {
      text.append(" (").append(position).append(')');
    }
    return text.toString();
  }
}
