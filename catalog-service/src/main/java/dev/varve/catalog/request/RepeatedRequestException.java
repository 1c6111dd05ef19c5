package dev.varve.catalog.request;

/** Nothing was done: a transaction with the same request key is done already. */
public final class RepeatedRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RepeatedRequestException(RequestKey key, Throwable cause) {
    super("request " + key.key() + " is done already", cause);
  }
}
