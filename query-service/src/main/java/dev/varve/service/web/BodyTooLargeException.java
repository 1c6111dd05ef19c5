package dev.varve.service.web;

import java.io.IOException;

/** A request's body is larger than the service takes. */
final class BodyTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  BodyTooLargeException(long limitBytes) {
    super("the body is larger than " + limitBytes + " bytes, which is the limit");
  }
}
