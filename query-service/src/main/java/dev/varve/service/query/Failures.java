package dev.varve.service.query;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what a statement threw into what its user is told. */
final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private Failures() {}

  /** A bug is logged with its stack trace, and told with the place to look for it. */
  static VarveException ofStatement(Throwable failure, String queryId) {
    if (failure instanceof VarveException known) {
      return known;
    }
    LOG.error("query {} failed unexpectedly", queryId, failure);
    return new VarveException(
        ErrorCode.INTERNAL_ERROR,
        "the statement failed unexpectedly: " + firstLine(failure),
        null,
        "the log has the details under query " + queryId,
        failure);
  }

  private static String firstLine(Throwable failure) {
    String message = failure.getMessage();
    String name = failure.getClass().getSimpleName();
    return message == null ? name : name + ": " + message.lines().findFirst().orElse("");
  }
}
