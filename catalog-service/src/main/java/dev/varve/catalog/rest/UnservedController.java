package dev.varve.catalog.rest;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * What of the protocol is not served on purpose, and all other routes. 406 tells clients that the
 * endpoint is not supported; by 404 they would take a table to be missing.
 */
@RestController
@RequestMapping("/iceberg/v1")
public final class UnservedController {
  private static final String TABLE = "/namespaces/{namespace}/tables/{table}";
  private static final byte[] NO_TOKENS =
      """
      {"error":"unsupported_grant_type","error_description":"This catalog exchanges no credentials \
      for tokens: give the client a token of the service (token=...), or name and password \
      (rest.auth.type=basic)"}
      """
          .strip()
          .getBytes(StandardCharsets.UTF_8);

  private final RestReply reply = new RestReply(new RestJson());

  /** Deprecated in the protocol; its errors have a form of their own. */
  @PostMapping("/oauth/tokens")
  public ResponseEntity<byte[]> token() {
    return ResponseEntity.badRequest().contentType(MediaType.APPLICATION_JSON).body(NO_TOKENS);
  }

  /** An offer to take storage credentials, which load and create may ignore, is ignored there. */
  @RequestMapping({TABLE + "/credentials", TABLE + "/sign"})
  public ResponseEntity<byte[]> access(@PathVariable String namespace, @PathVariable String table) {
    return refuse(
        "This catalog hands out no storage credentials and signs no requests; configure the"
            + " client's own access to the files of "
            + RestNames.table(namespace, table));
  }

  @RequestMapping("/**")
  public ResponseEntity<byte[]> other(HttpServletRequest request) {
    return refuse(
        "This catalog does not support " + request.getMethod() + " " + request.getRequestURI());
  }

  private ResponseEntity<byte[]> refuse(String message) {
    // The type that the protocol names for what a server does not do; RestErrors answers it with
    // 406.
    return reply.error(new UnsupportedOperationException(message));
  }
}
