package dev.varve.service.web;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Answers what our controllers throw; never with a stack trace. */
@RestControllerAdvice(basePackages = "dev.varve.service")
final class ProblemAdvice {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

  @ExceptionHandler
  ResponseEntity<Problem> answer(Exception failure) {
    Problem problem = problem(failure);
    return ResponseEntity.status(problem.status())
        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
        .body(problem);
  }

  private static Problem problem(Exception failure) {
    return switch (failure) {
      case VarveException known -> Problem.of(known);
      case BodyTooLargeException tooLarge ->
          Problem.of(HttpStatus.CONTENT_TOO_LARGE, String.valueOf(tooLarge.getMessage()));
      case HttpMessageNotReadableException unreadable -> unreadable(unreadable);
      case MethodArgumentTypeMismatchException mismatch ->
          Problem.of(
              HttpStatus.BAD_REQUEST,
              "'" + mismatch.getValue() + "' is no value for " + mismatch.getName());
      case ErrorResponse response -> {
        HttpStatus status = HttpStatus.valueOf(response.getStatusCode().value());
        String detail = response.getBody().getDetail();
        yield Problem.of(status, detail == null ? status.getReasonPhrase() : detail);
      }
      default -> {
        LOG.error("a request failed unexpectedly", failure);
        yield Problem.of(
            new VarveException(
                ErrorCode.INTERNAL_ERROR, "the request failed unexpectedly; the log says why"));
      }
    };
  }

  private static Problem unreadable(HttpMessageNotReadableException failure) {
    JacksonException malformed = null;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BodyTooLargeException tooLarge) {
        return Problem.of(HttpStatus.CONTENT_TOO_LARGE, String.valueOf(tooLarge.getMessage()));
      }
      if (cause instanceof JacksonException found) {
        malformed = found;
      }
    }
    if (malformed != null) {
      return Problem.of(
          HttpStatus.BAD_REQUEST, "the body is not the JSON wanted: " + why(malformed));
    }
    return Problem.of(HttpStatus.BAD_REQUEST, "the request needs a JSON body");
  }

  /**
   * Jackson's words for text that is no JSON; our own for JSON of another shape, which name no
   * class.
   */
  private static String why(JacksonException malformed) {
    TokenStreamLocation at = malformed.getLocation();
    String place = at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
    if (!(malformed instanceof DatabindException)) {
      return malformed.getOriginalMessage() + place;
    }
    String member =
        malformed.getPath().stream()
            .map(
                step ->
                    step.getPropertyName() == null
                        ? "[" + step.getIndex() + "]"
                        : step.getPropertyName())
            .collect(Collectors.joining("."));
    if (malformed instanceof UnrecognizedPropertyException) {
      return "there is no member \"" + member + "\"" + place;
    }
    return (member.isEmpty() ? "the whole body" : "the member \"" + member + "\"")
        + " has a value of another type than it takes"
        + place;
  }
}
