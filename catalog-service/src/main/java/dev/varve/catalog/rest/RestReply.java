package dev.varve.catalog.rest;

import dev.varve.catalog.request.RepeatedRequestException;
import java.util.function.Supplier;
import org.apache.iceberg.rest.RESTCatalogProperties.SnapshotMode;
import org.apache.iceberg.rest.RESTMessage;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.apache.iceberg.rest.responses.LoadTableResponse;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * Makes HTTP answers of what a handler returns or throws; {@link RepeatedRequestException} passes
 * through to {@link OncePerKey}.
 */
final class RestReply {
  private final RestJson json;

  RestReply(RestJson json) {
    this.json = json;
  }

  <T extends RESTMessage> T read(byte[] body, Class<T> type) {
    return json.read(body, type);
  }

  ResponseEntity<byte[]> body(Supplier<? extends RESTMessage> handler) {
    return answer(() -> json(200, handler.get()));
  }

  /** An answer that is JSON already. */
  ResponseEntity<byte[]> json(Supplier<byte[]> handler) {
    return answer(
        () -> ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(handler.get()));
  }

  /** A table as the client may keep it: with the tag by which it asks for it again. */
  ResponseEntity<byte[]> table(SnapshotMode mode, Supplier<LoadTableResponse> handler) {
    return answer(
        () -> {
          LoadTableResponse table = handler.get();
          String location = table.metadataLocation();
          return location == null
              ? json(200, table)
              : ResponseEntity.ok()
                  .contentType(MediaType.APPLICATION_JSON)
                  .eTag(TableTag.of(location, mode))
                  .body(json.write(table));
        });
  }

  ResponseEntity<byte[]> noContent(Runnable handler) {
    return answer(
        () -> {
          handler.run();
          return ResponseEntity.noContent().build();
        });
  }

  /** The client holds what it asks for. */
  ResponseEntity<byte[]> notModified(String tag) {
    return ResponseEntity.status(HttpStatus.NOT_MODIFIED).eTag(tag).build();
  }

  /** What a handler answers, or the error that it throws. */
  ResponseEntity<byte[]> answer(Supplier<ResponseEntity<byte[]>> handler) {
    try {
      return handler.get();
    } catch (RepeatedRequestException e) {
      throw e;
    } catch (RuntimeException e) {
      return error(e);
    }
  }

  ResponseEntity<byte[]> error(RuntimeException failure) {
    ErrorResponse error = RestErrors.of(failure);
    return json(error.code(), error);
  }

  private ResponseEntity<byte[]> json(int status, RESTMessage message) {
    return ResponseEntity.status(status)
        .contentType(MediaType.APPLICATION_JSON)
        .body(json.write(message));
  }
}
