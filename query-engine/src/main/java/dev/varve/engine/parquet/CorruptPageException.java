package dev.varve.engine.parquet;

/**
 * Bytes that are not what the format demands, found by a decoder that knows neither file nor
 * column: the reader of the chunk turns it into an error that does.
 */
final class CorruptPageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CorruptPageException(String message) {
    super(message, null, false, false);
  }
}
