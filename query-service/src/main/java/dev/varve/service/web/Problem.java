package dev.varve.service.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.varve.layout.error.SourcePosition;
import dev.varve.layout.error.VarveException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * An error as RFC 9457 has it. {@code code} is the name of an {@link
 * dev.varve.layout.error.ErrorCode}, or of the HTTP status where the request never became a
 * statement; {@code line} and {@code column} count from 1 in the statement's text.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    String code,
    @Nullable String sqlState,
    @Nullable Integer line,
    @Nullable Integer column,
    @Nullable String hint) {

  public static Problem of(VarveException failure) {
    SourcePosition position = failure.position();
    int status = failure.code().httpStatus();
    return new Problem(
        "about:blank",
        title(status),
        status,
        String.valueOf(failure.getMessage()),
        failure.code().name(),
        failure.code().sqlState(),
        position == null ? null : position.line(),
        position == null ? null : position.column(),
        failure.hint());
  }

  public static Problem of(HttpStatus status, String detail) {
    return new Problem(
        "about:blank",
        status.getReasonPhrase(),
        status.value(),
        detail,
        status.name(),
        null,
        null,
        null,
        null);
  }

  private static String title(int status) {
    HttpStatus known = HttpStatus.resolve(status);
    return known == null ? "Error" : known.getReasonPhrase();
  }
}
