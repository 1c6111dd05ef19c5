package dev.varve.catalog.rest;

import java.util.function.Supplier;
import org.apache.iceberg.rest.RESTMessage;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Makes HTTP answers of what a handler returns or throws. */
final class RestReply {
  private final RestJson json;

  RestReply(RestJson json) {
    this.json = json;
  }

  <T extends RESTMessage> T read(byte[] body, Class<T> type) {
    return json.read(body, type);
  }

  ResponseEntity<byte[]> body(Supplier<? extends RESTMessage> handler) {
    try {
      return json(200, handler.get());
    } catch (RuntimeException e) {
      return error(e);
    }
  }

  ResponseEntity<byte[]> noContent(Runnable handler) {
    try {
      handler.run();
      return ResponseEntity.noContent().build();
    } catch (RuntimeException e) {
      return error(e);
    }
  }

  private ResponseEntity<byte[]> error(RuntimeException failure) {
    ErrorResponse error = RestErrors.of(failure);
    return json(error.code(), error);
  }

  private ResponseEntity<byte[]> json(int status, RESTMessage message) {
    return ResponseEntity.status(status)
        .contentType(MediaType.APPLICATION_JSON)
        .body(json.write(message));
  }
}
