package dev.varve.catalog.rest;

import org.apache.iceberg.exceptions.BadRequestException;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** Answers requests that reach no handler for their form, in the protocol's way. */
@RestControllerAdvice(basePackageClasses = RestAdvice.class)
public final class RestAdvice {
  private final RestReply reply = new RestReply(new RestJson());

  /** There is no body, or it ends before it should. */
  @ExceptionHandler
  ResponseEntity<byte[]> unreadable(HttpMessageNotReadableException failure) {
    Throwable cause = failure.getCause();
    return reply.error(
        cause == null
            ? new BadRequestException("Missing body")
            : new BadRequestException(failure, "Unreadable body: %s", cause.getMessage()));
  }

  @ExceptionHandler
  ResponseEntity<byte[]> mismatch(MethodArgumentTypeMismatchException failure) {
    return reply.error(
        new BadRequestException(
            failure, "'%s' is no value for %s", failure.getValue(), failure.getName()));
  }
}
