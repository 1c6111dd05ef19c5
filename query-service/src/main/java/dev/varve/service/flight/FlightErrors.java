package dev.varve.service.flight;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.SourcePosition;
import dev.varve.layout.error.VarveException;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.ErrorFlightMetadata;
import org.apache.arrow.flight.FlightRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Failures as Flight's statuses: the text has code, message, hint and position, the metadata has
 * {@code varve-code}, {@code varve-sqlstate}, {@code varve-line} and {@code varve-column}.
 */
final class FlightErrors {
  private static final Logger LOG = LoggerFactory.getLogger(FlightErrors.class);

  private FlightErrors() {}

  static FlightRuntimeException of(Throwable failure) {
    return switch (failure) {
      case FlightRuntimeException known -> known;
      case VarveException known -> of(known);
      case UnsupportedOperationException unknown ->
          CallStatus.UNIMPLEMENTED
              .withDescription(String.valueOf(unknown.getMessage()))
              .toRuntimeException();
      default -> {
        LOG.error("a Flight call failed unexpectedly", failure);
        yield of(
            new VarveException(
                ErrorCode.INTERNAL_ERROR, "internal error; the log has the details", failure));
      }
    };
  }

  /** The reason of what ends because nobody waits for it any more. */
  static VarveException gone() {
    return new VarveException(
        ErrorCode.QUERY_CANCELED, "the client cancelled the query or went away");
  }

  private static FlightRuntimeException of(VarveException failure) {
    ErrorFlightMetadata metadata = new ErrorFlightMetadata();
    metadata.insert("varve-code", failure.code().name());
    metadata.insert("varve-sqlstate", failure.code().sqlState());
    SourcePosition position = failure.position();
    if (position != null) {
      metadata.insert("varve-line", String.valueOf(position.line()));
      metadata.insert("varve-column", String.valueOf(position.column()));
    }
    return status(failure.code())
        .withDescription(failure.code() + ": " + failure.describe())
        .withMetadata(metadata)
        .toRuntimeException();
  }

  static CallStatus status(ErrorCode code) {
    return switch (code) {
      case INVALID_AUTHORIZATION -> CallStatus.UNAUTHENTICATED;
      case INSUFFICIENT_PRIVILEGE -> CallStatus.UNAUTHORIZED;
      case NOT_FOUND, FILE_NOT_FOUND -> CallStatus.NOT_FOUND;
      case DUPLICATE_TABLE, DUPLICATE_SCHEMA -> CallStatus.ALREADY_EXISTS;
      case FEATURE_NOT_SUPPORTED -> CallStatus.UNIMPLEMENTED;
      case QUERY_CANCELED -> CallStatus.CANCELLED;
      case QUERY_TIMEOUT -> CallStatus.TIMED_OUT;
      case MEMORY_LIMIT_EXCEEDED, DISK_FULL, SPILL_LIMIT_EXCEEDED, TOO_MANY_QUERIES ->
          CallStatus.RESOURCE_EXHAUSTED;
      case SHUTTING_DOWN, COMMIT_CONFLICT -> CallStatus.UNAVAILABLE;
      case COMMIT_STATE_UNKNOWN -> CallStatus.UNKNOWN;
      case INTERNAL_ERROR, IO_ERROR, FILE_CORRUPT, ORDER_VIOLATED -> CallStatus.INTERNAL;
      default -> CallStatus.INVALID_ARGUMENT;
    };
  }
}
