package dev.varve.catalog.rest;

import dev.varve.layout.error.VarveException;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchPlanIdException;
import org.apache.iceberg.exceptions.NoSuchPlanTaskException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NoSuchViewException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.UnprocessableEntityException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Failures as the REST protocol's error bodies. A client takes 500 on a commit for "unknown": only
 * failures that leave the state open, and bugs, may answer with it.
 */
final class RestErrors {
  private static final Logger LOG = LoggerFactory.getLogger(RestErrors.class);

  private RestErrors() {}

  static ErrorResponse of(Throwable failure) {
    int status = status(failure);
    if (status >= 500) {
      LOG.error("a catalog request failed", failure);
    }
    boolean bug = status == 500 && !(failure instanceof CommitStateUnknownException);
    return ErrorResponse.builder()
        .responseCode(status)
        .withType(bug ? "InternalServerError" : failure.getClass().getSimpleName())
        .withMessage(
            bug ? "The catalog failed; its log says why" : String.valueOf(failure.getMessage()))
        .build();
  }

  private static int status(Throwable failure) {
    return switch (failure) {
      case NamespaceNotEmptyException _, AlreadyExistsException _, CommitFailedException _ -> 409;
      case NoSuchNamespaceException _,
          NoSuchTableException _,
          NoSuchViewException _,
          NoSuchPlanIdException _,
          NoSuchPlanTaskException _,
          NotFoundException _ ->
          404;
      case NotAuthorizedException _ -> 401;
      case ForbiddenException _ -> 403;
      case UnprocessableEntityException _ -> 422;
      case BadRequestException _, ValidationException _, IllegalArgumentException _ -> 400;
      case UnsupportedOperationException _ -> 406;
      case VarveException e -> status(e);
      default -> 500;
    };
  }

  private static int status(VarveException failure) {
    return switch (failure.code()) {
      case INVALID_PARAMETER, INVALID_TEXT -> 400;
      // A file that the catalog itself needs: 404 would say that there is no table.
      case FILE_NOT_FOUND -> 500;
      // Certainly not done; the database or the disk may be back later.
      case IO_ERROR, DISK_FULL -> 503;
      default -> 500;
    };
  }
}
