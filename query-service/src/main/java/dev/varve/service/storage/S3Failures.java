package dev.varve.service.storage;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.EOFException;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NotFoundException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Says in our words what went wrong with an object; never with a key or a signature in it. */
final class S3Failures {
  private static final int PRECONDITION_FAILED = 412;

  private S3Failures() {}

  static RuntimeException of(String action, String location, Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof VarveException known) {
        return known;
      }
      if (cause instanceof AlreadyExistsException known) {
        return known;
      }
      if (cause instanceof NotFoundException) {
        return notFound(location, failure);
      }
      if (cause instanceof S3Exception answer) {
        return answered(action, location, answer);
      }
      if (cause instanceof EOFException) {
        return new VarveException(
            ErrorCode.FILE_CORRUPT,
            "'" + location + "' is shorter than it should be: " + cause.getMessage(),
            failure);
      }
    }
    return new VarveException(
        ErrorCode.IO_ERROR,
        "cannot " + action + " '" + location + "': S3 does not answer: " + root(failure),
        null,
        "check s3.endpoint and s3.region in varve.properties, and whether the store is up",
        failure);
  }

  private static RuntimeException answered(String action, String location, S3Exception answer) {
    int status = answer.statusCode();
    if (status == 404) {
      return notFound(location, answer);
    }
    if (status == PRECONDITION_FAILED) {
      return new VarveException(
          ErrorCode.IO_ERROR,
          "cannot " + action + " '" + location + "': it was replaced meanwhile",
          answer);
    }
    String said =
        answer.awsErrorDetails() == null || answer.awsErrorDetails().errorCode() == null
            ? "status " + status
            : answer.awsErrorDetails().errorCode() + " (status " + status + ")";
    return new VarveException(
        ErrorCode.IO_ERROR,
        "cannot " + action + " '" + location + "': S3 answers " + said,
        null,
        status == 403 || status == 401
            ? "check s3.access-key-id, s3.secret-access-key and what they may do with the bucket"
            : null,
        answer);
  }

  private static VarveException notFound(String location, Exception failure) {
    return new VarveException(
        ErrorCode.FILE_NOT_FOUND, "file '" + location + "' does not exist", failure);
  }

  static boolean isPreconditionFailed(Exception failure) {
    return failure instanceof S3Exception answer && answer.statusCode() == PRECONDITION_FAILED;
  }

  private static String root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = root.getMessage();
    return message == null || root instanceof SdkClientException
        ? root.getClass().getSimpleName()
        : message;
  }
}
